package facts

import (
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// Told is a fact for people, in the names of the source: "total <= 10". What an item was before is
// "x before"; an entry of a slot is "s[k]".
func Told(f vc.Fact) string {
	sources := map[string]string{}
	for _, v := range f.Body.Vars {
		if v.Source != "" {
			sources[v.Term.Name] = v.Source
		}
	}
	now := "X"
	if f.At != ir.Exit {
		now = "H" + strings.TrimPrefix(f.At.String(), "L")
	}
	plain := term.Subst(f.Claim, func(v *term.Term) *term.Term {
		base, tag, tagged := strings.Cut(v.Name, "@")
		name := base
		if source, ok := sources[base]; ok {
			name = source
		} else if parts := strings.Split(base, "."); len(parts) > 1 {
			name = strings.TrimSuffix(strings.Join(parts[1:], "."), ".val")
		}
		if tagged && tag != now {
			name += " before"
		}
		return term.Var(name, v.Sort)
	})
	return plain.String()
}
