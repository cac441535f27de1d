package ir

// The JSON form of a system. Each distinct term stands once in Terms, in the notation of
// package term, and is referred to as "#3"; a span is [file, start, end]; what is absent, empty
// or false is left out.

type wireSystem struct {
	Files []string   `json:"files"`
	Terms []string   `json:"terms"`
	Cells []wireCell `json:"cells"`
}

type wireSpan [3]int

type wireCell struct {
	Name     string          `json:"name"`
	Agent    bool            `json:"agent,omitempty"`
	Skeleton bool            `json:"skeleton,omitempty"`
	Slots    []wireSlot      `json:"slots,omitempty"`
	Rules    []wireRule      `json:"rules,omitempty"`
	Machine  *wireMachine    `json:"machine,omitempty"`
	Signals  []wireSignal    `json:"signals,omitempty"`
	Limits   []wireLimit     `json:"limits,omitempty"`
	Automata []wireAutomaton `json:"automata,omitempty"`
	At       *wireSpan       `json:"at,omitempty"`
}

type wireSlot struct {
	Name      string    `json:"name"`
	List      bool      `json:"list,omitempty"`
	Value     string    `json:"value"`
	Type      string    `json:"type"`
	Attrs     []string  `json:"attrs,omitempty"`
	Immutable bool      `json:"immutable,omitempty"`
	At        *wireSpan `json:"at,omitempty"`
}

type wireRule struct {
	Text     string    `json:"text"`
	Guards   []string  `json:"guards,omitempty"`
	Cond     string    `json:"cond,omitempty"`
	Step     bool      `json:"step,omitempty"`
	Status   bool      `json:"status,omitempty"`
	Size     bool      `json:"size,omitempty"`
	Total    bool      `json:"total,omitempty"`
	Abstract string    `json:"abstract,omitempty"`
	At       *wireSpan `json:"at,omitempty"`
}

type wireMachine struct {
	Name    string            `json:"name"`
	States  []string          `json:"states"`
	Initial string            `json:"initial"`
	Edges   []wireMachineEdge `json:"edges,omitempty"`
	At      *wireSpan         `json:"at,omitempty"`
}

type wireMachineEdge struct {
	From  string    `json:"from"`
	To    string    `json:"to"`
	Guard string    `json:"guard,omitempty"`
	At    *wireSpan `json:"at,omitempty"`
}

type wireSignal struct {
	Name      string     `json:"name"`
	Tool      bool       `json:"tool,omitempty"`
	Params    []string   `json:"params,omitempty"`
	Result    string     `json:"result,omitempty"`
	Frame     *wireFrame `json:"frame,omitempty"`
	Automaton string     `json:"automaton,omitempty"`
	At        *wireSpan  `json:"at,omitempty"`
}

type wireLimit struct {
	Key   string    `json:"key"`
	Value string    `json:"value"`
	Text  string    `json:"text"`
	At    *wireSpan `json:"at,omitempty"`
}

type wireFrame struct {
	Reads  []wireFrameItem `json:"reads,omitempty"`
	Writes []wireFrameItem `json:"writes,omitempty"`
	Moves  []wireFrameItem `json:"moves,omitempty"`
	Calls  []wireFrameItem `json:"calls,omitempty"`
}

type wireFrameItem struct {
	Name string    `json:"name,omitempty"`
	From string    `json:"from,omitempty"`
	To   string    `json:"to,omitempty"`
	At   *wireSpan `json:"at,omitempty"`
}

type wireAutomaton struct {
	Cell   string     `json:"cell"`
	Name   string     `json:"name"`
	Kind   string     `json:"kind"`
	Public bool       `json:"public,omitempty"`
	Tool   bool       `json:"tool,omitempty"`
	Params []string   `json:"params,omitempty"`
	Result string     `json:"result"`
	Vars   []wireVar  `json:"vars,omitempty"`
	Locs   int        `json:"locs"`
	Edges  []wireEdge `json:"edges,omitempty"`
	Loops  []wireLoop `json:"loops,omitempty"`
	Stmts  []wireStmt `json:"stmts,omitempty"`
	At     *wireSpan  `json:"at,omitempty"`
	Body   *wireSpan  `json:"body,omitempty"`
}

type wireStmt struct {
	Loc    Loc       `json:"loc"`
	Effect int       `json:"effect,omitempty"`
	Behind bool      `json:"behind,omitempty"`
	At     *wireSpan `json:"at,omitempty"`
}

type wireVar struct {
	Term   string    `json:"term"`
	Source string    `json:"source,omitempty"`
	At     *wireSpan `json:"at,omitempty"`
}

type wireEdge struct {
	From    Loc          `json:"from"`
	To      Loc          `json:"to"`
	Guard   string       `json:"guard,omitempty"`
	Effects []wireEffect `json:"effects,omitempty"`
	Cond    *wireSpan    `json:"cond,omitempty"`
	Subject *wireSpan    `json:"subject,omitempty"`
	Negated bool         `json:"negated,omitempty"`
	Back    bool         `json:"back,omitempty"`
	At      *wireSpan    `json:"at,omitempty"`
}

type wireLoop struct {
	Kind  string    `json:"kind"`
	Head  Loc       `json:"head"`
	Test  *Loc      `json:"test,omitempty"` // where it is not the head
	Body  []Loc     `json:"body"`
	Bound *int64    `json:"bound,omitempty"`
	Cond  string    `json:"cond,omitempty"`
	At    *wireSpan `json:"at,omitempty"`
}

// wireEffect holds the fields of all effects; Do tells which it is and so which may be there.
type wireEffect struct {
	Do       string         `json:"do"`
	Cell     string         `json:"cell,omitempty"`
	Slot     string         `json:"slot,omitempty"`
	Handler  *wireHandler   `json:"handler,omitempty"`
	Event    string         `json:"event,omitempty"`
	Builtin  string         `json:"builtin,omitempty"`
	Class    string         `json:"class,omitempty"`
	Kind     string         `json:"kind,omitempty"`
	Ensures  string         `json:"ensures,omitempty"`
	Refusal  bool           `json:"refusal,omitempty"`
	What     string         `json:"what,omitempty"`
	Var      string         `json:"var,omitempty"`
	Has      string         `json:"has,omitempty"`
	ID       string         `json:"id,omitempty"`
	Key      string         `json:"key,omitempty"`
	Value    string         `json:"value,omitempty"`
	From     string         `json:"from,omitempty"`
	To       string         `json:"to,omitempty"`
	Args     []string       `json:"args,omitempty"`
	Guards   []wireGuard    `json:"guards,omitempty"`
	Tools    []*wireHandler `json:"tools,omitempty"`
	Sinks    []int          `json:"sinks,omitempty"`
	Origin   string         `json:"origin,omitempty"`
	Why      string         `json:"why,omitempty"`
	Via      string         `json:"via,omitempty"`
	Literal  bool           `json:"literal,omitempty"`
	Partial  bool           `json:"partial,omitempty"`
	Optional bool           `json:"optional,omitempty"`
	InGuard  bool           `json:"in_guard,omitempty"`
	At       *wireSpan      `json:"at,omitempty"`
	ValueAt  *wireSpan      `json:"value_at,omitempty"`
	FromAt   *wireSpan      `json:"from_at,omitempty"`
	ToAt     *wireSpan      `json:"to_at,omitempty"`
	ArgsAt   []*wireSpan    `json:"args_at,omitempty"`
}

type wireHandler struct {
	Cell  string `json:"cell"`
	Name  string `json:"name"`
	Arity int    `json:"arity"`
}

type wireGuard struct {
	Edge     int    `json:"edge"`
	Cond     string `json:"cond,omitempty"`
	Abstract bool   `json:"abstract,omitempty"`
}

// word is one of the names of an enumeration.
func word[K ~int](names []string, k K) (string, bool) {
	if k < 0 || int(k) >= len(names) {
		return "", false
	}
	return names[k], true
}

// kindOf is the inverse of word.
func kindOf[K ~int](names []string, s string) (K, bool) {
	for i, n := range names {
		if n == s {
			return K(i), true
		}
	}
	return 0, false
}

var (
	kindNames     = []string{Handler: "handler", Timer: "timer"}
	loopKindNames = []string{ForLoop: "for", WhileLoop: "while", LambdaLoop: "lambda"}
	originNames   = []string{Environment: "environment", Abstraction: "abstraction"}
)
