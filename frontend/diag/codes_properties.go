package diag

// Codes of properties: what is asked of a machine and cannot be.
const (
	BadFormula Code = "E0501"
)

func propertyEntries() []Entry {
	gate := func(property string) string {
		return "cell Gate {\n    state gate {\n        initial: shut\n        shut -> open\n        open -> shut\n    }\n" +
			"    verify {\n        property \"it can be shut again\" = \"" + property + "\"\n    }\n" +
			"    on push(id: String) {\n        transition(id, \"shut\", \"open\")\n    }\n" +
			"    on pull(id: String) {\n        transition(id, \"open\", \"shut\")\n    }\n}\n"
	}
	return []Entry{
		{Code: BadFormula, Name: "bad_formula",
			Rule:  "A property is written in CTL: ! && || -> <->, AX EX AF EF AG EG, A[p U q], E[p U q] over the states of a machine.",
			Wrong: gate("AG(open -> shut"), Right: gate("AG(open -> AF shut)")},
	}
}
