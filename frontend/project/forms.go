package project

import (
	"github.com/BurntSushi/toml"
)

// Keys are checked before they are decoded: the decoder takes `Never` for `never`, which
// nothing else would, and its complaints speak of the types of this program.

// form is what a key of the manifest holds, as messages name it.
type form string

const (
	aTable  form = "a table"
	aString form = "a string"
	aBool   form = "true or false"
	aList   form = "a list of strings"
)

// formsIn gives the keys of a table with their forms, in the order in which messages list
// them. A table with names of the author's choice has the one key "*"; what is no table has none.
func formsIn(table toml.Key) (keys []string, forms []form) {
	all := func(f form, names ...string) {
		for _, n := range names {
			keys, forms = append(keys, n), append(forms, f)
		}
	}
	name := table.String()
	if isSubject(table) {
		name = table[0] + "." + table[1] + ".*"
	}
	switch name {
	case "":
		all(aTable, "package", "agent", "verify")
	case "package":
		all(aString, "name", "version", "edition", "entry")
	case "agent":
		all(aString, "provider", "model", "url", "key", "mock")
	case "verify":
		all(aList, "cells")
		all(aBool, "deadlock_free")
		all(aList, "eventually", "always", "never", "ctl")
		all(aTable, "after", "before", "rules", "fairness")
	case "verify.after", "verify.before":
		all(aTable, "*")
	case "verify.rules":
		all(aString, "*")
	case "verify.fairness":
		all(aList, "strong", "weak")
	case "verify.after.*":
		all(aList, "eventually", "never")
	case "verify.before.*":
		all(aList, "requires", "requires_all")
	}
	return keys, forms
}

// wellFormed reports the first key or table that means nothing, or holds what it may not.
func (b *builder) wellFormed(root map[string]any) error {
	for _, key := range b.meta.Keys() {
		if elsewhere(key[0]) {
			if !isTable(root[key[0]]) {
				return wrongForm(b.path, b.position(key[0]), key[0], aTable)
			}
			continue
		}
		value := any(root)
		for n := range key {
			value = value.(map[string]any)[key[n]]
			want, known := formOf(key[:n], key[n], value)
			switch {
			case want == "" && n == 0 && !isTable(value):
				return topLevelKey(b.path, b.position(key[0]), key[0])
			case want == "" && isTable(value):
				return unknownTable(b.path, b.position(key...), key, n, known)
			case want == "":
				return unknownKey(b.path, b.position(key[:n+1]...), key[:n].String(), key[n], known)
			case !want.holds(value):
				return wrongForm(b.path, b.position(key[:n+1]...), key[:n+1].String(), want)
			}
		}
	}
	return nil
}

// isSubject tells whether a table is that of a state, which may be qualified by its machine and
// the machine's cell: [verify.after.state], [verify.before.Cell.machine.state].
func isSubject(table toml.Key) bool {
	return len(table) >= 3 && len(table) <= 5 && table[0] == "verify" && (table[1] == "after" || table[1] == "before")
}

// formOf is the form of a key of a table, "" when the table has no such key, with the keys that
// it has. The value tells a table of a qualified state from a misspelled key.
func formOf(table toml.Key, key string, value any) (form, []string) {
	known, forms := formsIn(table)
	if isSubject(table) && isTable(value) && isSubject(append(table[:len(table):len(table)], key)) {
		return aTable, known
	}
	for i, k := range known {
		if k == key || k == "*" {
			return forms[i], known
		}
	}
	return "", known
}

func isTable(value any) bool {
	switch value.(type) {
	case map[string]any, []map[string]any:
		return true
	}
	return false
}

func (f form) holds(value any) bool {
	switch x := value.(type) {
	case map[string]any:
		return f == aTable
	case string:
		return f == aString
	case bool:
		return f == aBool
	case []any:
		for _, item := range x {
			if _, ok := item.(string); !ok {
				return false
			}
		}
		return f == aList
	}
	return false
}
