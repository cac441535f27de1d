package outside_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/interp/outside"
)

// call runs a body in a program that reaches the network; URL in it stands for the server's.
func call(t *testing.T, url, body string) string {
	t.Helper()
	p := resolvetest.Program(t, "cell Client { on f(url: String) { "+body+" } }")
	w := interp.New(p, interp.Options{Network: outside.HTTP{}})
	v, err := w.Call(context.Background(), "Client", "f", []interp.Value{interp.String(url)})
	if err != nil {
		t.Errorf("%s raises %v", body, err)
		return ""
	}
	return interp.Render(v)
}

func server(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/json":
			fmt.Fprint(w, `{"b": 1, "a": [2.5, null]}`)
		case "/text":
			fmt.Fprint(w, "plain {")
		case "/none":
			w.WriteHeader(http.StatusNoContent)
		case "/missing":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"why": "gone"}`)
		case "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, "later")
		case "/slow":
			select {
			case <-r.Context().Done():
			case <-time.After(5 * time.Second):
			}
		case "/drip":
			fmt.Fprint(w, "x")
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(5 * time.Second):
			}
		case "/large":
			fmt.Fprint(w, strings.Repeat("x", 1000))
		case "/bad":
			w.Write([]byte("a\xffb"))
		case "/moved":
			http.Redirect(w, r, "/text", http.StatusFound)
		case "/echo":
			fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Header.Get("Content-Type"), r.Header.Get("X-Tag"), body)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestHTTP(t *testing.T) {
	url := server(t)
	for _, c := range []struct{ body, want string }{
		{`http_get(url + "/json")`, `{"b": 1, "a": [2.5, null]}`},
		{`http_get(url + "/text")`, `plain {`},
		{`http_get(url + "/none")`, ``},
		{`http_get(url + "/moved")`, `plain {`},
		{`http_get(url + "/bad")`, "a\uFFFDb"},
		{`http_get(url + "/missing")`, `{"error": "status 404 Not Found", "kind": "http_status", "status": 404, "body": {"why": "gone"}}`},
		{`http_get(url + "/busy")`, `{"error": "status 503 Service Unavailable", "kind": "http_status", "status": 503, "body": "later"}`},
		{`http_get(url + "/slow", map("timeout", 30))`, `{"error": "no reply within 30 ms", "kind": "timeout", "status": null, "body": null}`},
		{`http_get(url + "/drip", map("timeout", 30)).kind`, `timeout`},
		{`http_get(url + "/large", map("max_bytes", 999))`, `{"error": "the reply is larger than 999 bytes (option max_bytes)", "kind": "network", "status": null, "body": null}`},
		{`len(http_get(url + "/large", map("max_bytes", 1000)))`, `1000`},
		{`http_get(url + "/echo", map("headers", map("X-Tag", "t1")))`, `GET  t1 `},
		{`http_post(url + "/echo", map("n", 1), map("headers", map("X-Tag", "t2")))`, `POST application/json t2 {"n":1}`},
		{`http_put(url + "/echo", "raw")`, `PUT text/plain; charset=utf-8  raw`},
		{`http_patch(url + "/echo", [1])`, `PATCH application/json  [1]`},
		{`http_post(url + "/echo", "<a/>", map("headers", map("content-type", "text/xml")))`, `POST text/xml  <a/>`},
		{`http_delete(url + "/echo")`, `DELETE   `},
		{`http_get("ftp://x/y").error`, `"ftp://x/y" is no URL of http or https`},
		{`http_get("no url").kind`, `network`},
		{`http_get("file:///etc/passwd").kind`, `network`},
		{`http_get(url, map("timeout", 0)).error`, `option timeout must be a whole number above 0, not Int 0`},
		{`http_get(url, map("max_bytes", "9")).error`, `option max_bytes must be a whole number above 0, not String "9"`},
		{`http_get(url, map("headers", map("A", 1))).error`, `option headers must be a Map of Strings, not Int 1`},
		{`http_get(url + "/echo", map("headers", map("A b", "c"))).kind`, `network`},
		{`http_get(url + "/echo", map("timeout", (), "headers", ()))`, `GET   `},
	} {
		if got := call(t, url, c.body); got != c.want {
			t.Errorf("%s\n\tgives %s\n\twant  %s", c.body, got, c.want)
		}
	}
}

func TestRefusedConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	if got := call(t, url, `http_get(url).kind`); got != "refused" {
		t.Error(got)
	}
	if got := call(t, "http://nowhere.invalid", `http_get(url, map("timeout", 3000)).kind`); got != "network" && got != "timeout" {
		t.Error(got)
	}
}

// A body that is small in memory and endless as text is not sent.
func TestBodiesAreBounded(t *testing.T) {
	p := resolvetest.Program(t, `cell Client { on f() { let xs = [0]  let i = 0  while i < 60 { xs = [xs, xs]  i += 1 }  return http_post("http://x", xs) } }`)
	w := interp.New(p, interp.Options{Network: outside.HTTP{}})
	if _, err := w.Call(context.Background(), "Client", "f", nil); err == nil || !strings.HasPrefix(err.Error(), "limit: ") {
		t.Error(err)
	}
}

// A request ends with the call that makes it.
func TestStoppedCallsAreNoReplies(t *testing.T) {
	url := server(t)
	p := resolvetest.Program(t, "cell Client { on f(url: String) { return http_get(url) } }")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	w := interp.New(p, interp.Options{Network: outside.HTTP{}})
	start := time.Now()
	w.Call(ctx, "Client", "f", []interp.Value{interp.String(url + "/slow")})
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("the request outlived its call: %v", took)
	}
}
