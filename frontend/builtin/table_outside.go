package builtin

// outsideRows are files, the network, printing and time.
func outsideRows() []row {
	first := []int{0}
	date := []string{"date"}
	return []row{
		{signature: "read_file(path: String) -> String|{error: String}", doc: "the text of a file, or {error}", class: FileIO, sinks: first},
		{signature: "write_file(path: String, text: Any) -> Bool|{error: String}", doc: "true, or {error}", class: FileIO, sinks: first},
		{signature: "read_csv(path: String) -> List<Map<String, String>>|{error: String}", doc: "the rows of a file, texts under the names of the first line, or {error}", class: FileIO, sinks: first},
		{signature: "write_csv(path: String, rows: List) -> Bool|{error: String}", doc: "true, or {error}; the fields of all rows make the first line", class: FileIO, sinks: first},
		{signature: "read_files(path: String) -> Map", doc: "a map of the texts of a folder's files by name, or {error}", class: FileIO, sinks: first},
		{signature: "load(path: String) -> Any", doc: "the value of a .json file, the rows of a .csv file, else the text, or {error}", class: FileIO, sinks: first},
		{signature: "load_template(path: String) -> String|{error: String}", doc: "the text of a template, or {error}", class: FileIO, sinks: first},
		{signature: "include(path: String) -> String|{error: String}", doc: "the text of a file, or {error}", class: FileIO, sinks: first},
		{signature: "read_stdin() -> String", doc: "what stands on standard input", class: FileIO},
		{signature: "write_str(s: Any) -> Unit", doc: "prints without a line end", class: Print},
		{signature: "print(values...: Any) -> Unit", doc: "prints a line", class: Print},

		{signature: "http_get(url: String, opts?: Map) -> Any", doc: "the body of a reply, or {error, kind, status, body}", class: Net, sinks: first},
		{signature: "http_post(url: String, body: Any, opts?: Map) -> Any", doc: "the body of a reply, or {error, kind, status, body}", class: Net, sinks: first},
		{signature: "http_put(url: String, body: Any, opts?: Map) -> Any", doc: "the body of a reply, or {error, kind, status, body}", class: Net, sinks: first},
		{signature: "http_patch(url: String, body: Any, opts?: Map) -> Any", doc: "the body of a reply, or {error, kind, status, body}", class: Net, sinks: first},
		{signature: "http_delete(url: String, opts?: Map) -> Any", doc: "the body of a reply, or {error, kind, status, body}", class: Net, sinks: first},
		{signature: "ws_connect(url: String, opts?: Map) -> Any", doc: "opens a web socket", class: Net, sinks: first},
		{signature: "ws_send(url: Any, message: Any) -> Any", doc: "sends on a web socket", class: Net, sinks: first},
		{signature: "link(args...: Any) -> Any", doc: "links to a peer", class: Net},
		{signature: "subscribe(topic: Any, args...: Any) -> Any", doc: "listens to a topic", class: Net},
		{signature: "publish(topic: Any, args...: Any) -> Any", doc: "publishes on a topic", class: Net},
		{signature: "html(body: Any, status?: Any) -> Map", doc: "an HTML response value, of status 200 unless stated"},
		{signature: "response(status: Any, body?: Any, headers?: Any) -> Map", doc: "a response value"},
		{signature: "redirect(url: Any, status?: Any) -> Map", doc: "a redirecting response value, of status 302 unless stated"},
		{signature: "sse(args...: Any) -> Map", doc: "an event stream response value"},

		{signature: "now() -> Int", doc: "seconds since 1970", class: Clock},
		{signature: "now_ms() -> Int", doc: "milliseconds since 1970", class: Clock},
		{signature: "today() -> String", doc: "the date, YYYY-MM-DD", class: Clock},
		{signature: "format_date(ts: String|Int, format?: String) -> String", doc: "a date or seconds since 1970 as text; YYYY MM DD HH mm ss in the format are its parts", raises: date, refuses: true},
		{signature: "parse_date(s: String) -> {year: Int, month: Int, day: Int, weekday: Int, epoch_day: Int}", doc: "{year, month, day, weekday, epoch_day} of YYYY-MM-DD, with a time or not; weekday 1 is Monday", raises: date},
		{signature: "add_days(date: String, n: Int) -> String", doc: "the date n days later", raises: date},
		{signature: "add_months(date: String, n: Int) -> String", doc: "the date n months later, clamped to the month's end", raises: date},
		{signature: "days_between(from: String, to: String) -> Int", doc: "days from one date to another", raises: date},
		{signature: "months_between(from: String, to: String) -> Int", doc: "whole months from one date to another, towards zero", raises: date},
		{signature: "days_in_month(year: String|Int, month?: Int) -> Int",
			forms: []string{"days_in_month(date: String) -> Int", "days_in_month(year: Int, month: Int) -> Int"}, doc: "the length of a month", raises: date, refuses: true},
		{signature: "sleep(ms: Int) -> Unit", doc: "lets the program's clock run ahead", class: Sleep, raises: []string{"range"}},
	}
}
