package diag

import "sort"

// Entry documents one code: what the rule is, a program that breaks it and the repaired one.
type Entry struct {
	Code     Code
	Name     string // snake_case, never changed once published
	Severity Severity
	Rule     string // one line
	Page     string // the rule at length; empty when the one line says it all
	Wrong    string // a program that triggers exactly this code, as the file app.cell
	Right    string // the same program, repaired
	Edition  string // the edition the example needs; empty when any will do
}

// Table is every code, in order.
func Table() []Entry {
	var all []Entry
	for _, area := range areas() {
		all = append(all, area()...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Code < all[j].Code })
	return all
}

// areas lists the tables of the areas; each area keeps its codes in a file of its own.
func areas() []func() []Entry {
	return []func() []Entry{
		syntaxEntries,
		foreignEntries,
		resolveEntries,
		typeEntries,
		pictureEntries,
		frameEntries,
		propertyEntries,
		checkEntries,
		flowEntries,
	}
}

// Lookup finds the entry of a code.
func Lookup(code Code) (Entry, bool) {
	for _, e := range Table() {
		if e.Code == code {
			return e, true
		}
	}
	return Entry{}, false
}
