package builtin

import "sort"

var (
	sorted []*Builtin
	byName map[string]*Builtin
)

func init() {
	byName = map[string]*Builtin{}
	for _, b := range sorted {
		byName[b.Name] = b
	}
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
}
