package diag

// Codes of untrusted values: one rule, whose severity depends on the edition.
const (
	UntrustedValue     Code = "E0113"
	UntrustedValueSoon Code = "W0018"
)

const flowRule = "a model's answer or an HTTP reply decides a state, a URL, a file or a budget without a check."

const flowAtLength = "A model's answer (think()) or an HTTP reply is untrusted, and so is everything computed " +
	"from it: it may be stored, shown and computed with, but it may not decide the target of a transition(), " +
	"a URL, a file path, set_budget or the handler of a delegate until the handler tests it. In edition 2027 " +
	"soma check refuses such a use with E0113; in edition 2026 the same program gets a warning under W0018 " +
	"that says it becomes an error in 2027. Test the value first, with require contains([...], answer) else " +
	"BadAnswer or a match on the values you allow, so that a prompt-injected answer cannot pick the state; " +
	"bound a number on both sides or clamp() it; pin a URL or path with starts_with(v, \"https://host/\")."

const flowWrong = `cell Parcel {
    face {
        signal sort(parcel_id: String, slip: String) -> String
    }
    state parcel {
        initial: arrived
        arrived -> domestic
        arrived -> abroad
    }
    on sort(parcel_id: String, slip: String) {
        let bin = think("Answer domestic or abroad for this slip: {slip}", map("max_tokens", 5))
        transition(parcel_id, bin)
        return bin
    }
}
`

const flowRight = `cell Parcel {
    face {
        signal sort(parcel_id: String, slip: String) -> String
    }
    state parcel {
        initial: arrived
        arrived -> domestic
        arrived -> abroad
    }
    on sort(parcel_id: String, slip: String) {
        let bin = think("Answer domestic or abroad for this slip: {slip}", map("max_tokens", 5))
        require contains(["domestic", "abroad"], bin) else BadBin "model answered {bin}"
        transition(parcel_id, bin)
        return bin
    }
}
`

func flowEntries() []Entry {
	return []Entry{
		{Code: UntrustedValue, Name: "untrusted_value", Severity: Error, Rule: flowRule, Page: flowAtLength,
			Wrong: flowWrong, Right: flowRight, Edition: "2027"},
		{Code: UntrustedValueSoon, Name: "untrusted_value_soon", Severity: Warning,
			Rule: flowRule + " It becomes an error in edition 2027.", Page: flowAtLength,
			Wrong: flowWrong, Right: flowRight, Edition: "2026"},
	}
}
