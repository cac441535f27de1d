package diag

// Codes of types: what surely raises kind "type".
const (
	NotBool       Code = "E0233"
	TypeMismatch  Code = "E0234"
	WrongFunction Code = "E0280"
	NoField       Code = "E0281"
	BadIndex      Code = "E0282"

	NeverFits Code = "W0140"
)

func typeEntries() []Entry {
	return illustrated([]Entry{
		{Code: NotBool, Name: "not_bool",
			Rule: `Conditions are Bools: nothing else is true or false.`},
		{Code: TypeMismatch, Name: "type_mismatch",
			Rule: `An operation or call gets values of the types it takes, where they are certain.`},
		{Code: WrongFunction, Name: "wrong_function",
			Rule: `A function value takes as many arguments as whoever calls it gives.`},
		{Code: NoField, Name: "no_field",
			Rule: `A field is read of a map, or of a variant that has it.`},
		{Code: BadIndex, Name: "bad_index",
			Rule: `Lists and texts are indexed by an Int, maps by a String or an Int, and nothing else has elements.`},
		{Code: NeverFits, Name: "never_fits", Severity: Warning,
			Rule: `A pattern can fit the value that is matched.`},
	})
}
