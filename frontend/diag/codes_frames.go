package diag

// Codes of frames: what a body does and its signal does not allow.
const (
	FrameRead        Code = "E0401"
	FrameWrite       Code = "E0402"
	FrameMove        Code = "E0403"
	FrameCall        Code = "E0404"
	TimerOutsideFace Code = "E0405"

	FrameWider   Code = "W0401"
	FrameUnknown Code = "W0402"
)

func frameEntries() []Entry {
	library := func(clauses, body string) string {
		return "skeleton Library {\n    memory {\n        loans: Map<String, String>\n    }\n" +
			"    state book {\n        initial: shelf\n        shelf -> lent\n        lent -> shelf\n        lost -> shelf\n    }\n" +
			"    face {\n        signal note(id: String) -> String" + clauses + "\n    }\n}\n" +
			"flesh Library {\n    on note(id) {\n        " + body + "\n        return id\n    }\n}\n"
	}
	clock := func(timer string) string {
		return "skeleton Clock {\n    memory {\n        ticks: Map<String, Int>\n    }\n" +
			"    face {\n        signal tick() -> Int   writes ticks\n    }\n}\n" +
			"flesh Clock {\n    on tick() {\n        ticks.set(\"n\", (ticks.get(\"n\") ?? 0) + 1)\n        return 1\n    }\n" +
			"    every 5s {\n        " + timer + "\n    }\n}\n"
	}
	return []Entry{
		{Code: FrameRead, Name: "frame_read",
			Rule:  "A body reads only the slots and the machine that its signal names in reads (or may write or move).",
			Wrong: library("", `require loans.has(id) else Unknown`),
			Right: library(" reads loans", `require loans.has(id) else Unknown`)},
		{Code: FrameWrite, Name: "frame_write",
			Rule:  "A body writes only the slots that its signal names in writes.",
			Wrong: library(" reads loans", `if !loans.has(id) { loans.set(id, "new") }`),
			Right: library(" writes loans", `if !loans.has(id) { loans.set(id, "new") }`)},
		{Code: FrameMove, Name: "frame_move",
			Rule:  "A body takes only the edges that its signal names in moves; a move without a source takes every edge into its target.",
			Wrong: library(" moves lent -> shelf", `transition(id, "shelf")`),
			Right: library(" moves lent -> shelf, lost -> shelf", `transition(id, "shelf")`)},
		{Code: FrameCall, Name: "frame_call",
			Rule:  "A body calls only the handlers and effectful builtins that its signal names in calls.",
			Wrong: library("", `print(id)`),
			Right: library(" calls print", `print(id)`)},
		{Code: TimerOutsideFace, Name: "timer_outside_face",
			Rule:  "A timer of a flesh only calls signals of the face, since it has no frame of its own.",
			Wrong: clock(`ticks.set("n", 0)`), Right: clock(`tick()`)},
		{Code: FrameWider, Name: "frame_wider", Severity: Warning,
			Rule:  "A frame says no more than its body does.",
			Wrong: library(" reads loans calls print", `print(id)`),
			Right: library(" calls print", `print(id)`)},
		{Code: FrameUnknown, Name: "frame_unknown", Severity: Warning,
			Rule:  "A frame is shown to hold only where every effect of the body is known.",
			Wrong: library("", "let short = x => len(x) < 9\n        require len(filter([id], short)) == 1 else Long"),
			Right: library("", "require len(filter([id], x => len(x) < 9)) == 1 else Long")},
	}
}
