package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// runIn writes files into a folder and runs soma test on its app.cell.
func runIn(t *testing.T, env map[string]string, input string, files map[string]string) (status int, output, folder string) {
	t.Helper()
	folder = t.TempDir()
	if files["soma.toml"] == "" {
		files["soma.toml"] = "\n" // keeps manifests further up out
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	a := &app{
		in: strings.NewReader(input), out: &out, progress: &out,
		lookup: func(name string) (string, bool) { text, ok := env[name]; return text, ok },
		now:    func() time.Time { return time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC) },
	}
	status = a.run(context.Background(), []string{"test", filepath.Join(folder, "app.cell")})
	return status, out.String(), folder
}

const oracle = `
cell agent Oracle { on ask(text: String) { return think(text) } }
cell test Oracles { rules { assert ask("may I?") == "yes" } }
`

// The model is the one that is configured nearest: in the test, the environment's mock, the
// manifest's mock, then the service, each of whose parts the environment may name.
func TestWhereTheModelComesFrom(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var doc struct{ Model string }
		json.NewDecoder(r.Body).Decode(&doc)
		seen = append(seen, r.URL.Path+" "+doc.Model+" "+r.Header.Get("Authorization"))
		fmt.Fprint(w, `{"choices": [{"message": {"content": "yes"}}]}`)
	}))
	defer server.Close()
	manifest := func(lines string) map[string]string {
		return map[string]string{"app.cell": oracle, "soma.toml": "[agent]\n" + lines}
	}
	for name, c := range map[string]struct {
		env    map[string]string
		files  map[string]string
		status int
		output string // part of it
		asked  string // what the service saw
	}{
		"nothing":         {nil, manifest(""), 1, "note: no LLM key configured", ""},
		"a model alone":   {nil, manifest("provider = \"openai\"\nmodel = \"m\""), 1, "note: no LLM key configured", ""},
		"environment":     {map[string]string{"SOMA_LLM_URL": server.URL, "SOMA_LLM_KEY": "k1", "SOMA_LLM_MODEL": "m1"}, manifest(""), 0, "✓", "/v1/chat/completions m1 Bearer k1"},
		"no key":          {map[string]string{"SOMA_LLM_URL": server.URL + "/v1", "SOMA_LLM_MODEL": "m1"}, manifest(""), 0, "✓", "/v1/chat/completions m1 "},
		"manifest":        {nil, manifest("url = \"" + server.URL + "/api\"\nkey = \"k2\"\nmodel = \"m2\""), 0, "✓", "/api/chat/completions m2 Bearer k2"},
		"both":            {map[string]string{"SOMA_LLM_MODEL": "m1"}, manifest("url = \"" + server.URL + "\"\nkey = \"k2\"\nmodel = \"m2\""), 0, "✓", "/v1/chat/completions m1 Bearer k2"},
		"mocked":          {map[string]string{"SOMA_LLM_URL": server.URL, "SOMA_LLM_MODEL": "m1", "SOMA_LLM_MOCK": "fixed:yes"}, manifest("mock = \"fixed:no\""), 0, "✓", ""},
		"manifest's mock": {map[string]string{"SOMA_LLM_URL": server.URL, "SOMA_LLM_MODEL": "m1"}, manifest("mock = \"fixed:yes\""), 0, "✓", ""},
		"echo":            {map[string]string{"SOMA_LLM_MOCK": "echo"}, manifest(""), 1, `left:  "may I?"`, ""},
		"bad mock":        {map[string]string{"SOMA_LLM_MOCK": "yes"}, manifest(""), 2, `SOMA_LLM_MOCK is "yes"`, ""},
		"bad URL":         {map[string]string{"SOMA_LLM_URL": "nowhere", "SOMA_LLM_MODEL": "m1"}, manifest(""), 1, `llm: "nowhere" is no URL`, ""},
		"no model":        {map[string]string{"SOMA_LLM_URL": server.URL}, manifest(""), 1, "llm: no model is named", ""},
		"odd provider":    {map[string]string{"SOMA_LLM_KEY": "k1"}, manifest("provider = \"acme\"\nmodel = \"m\""), 1, `llm: the address of provider "acme" is not known`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			seen = nil
			status, output, _ := runIn(t, c.env, "", c.files)
			if status != c.status || !strings.Contains(output, c.output) || strings.Join(seen, "; ") != c.asked {
				t.Errorf("exit status %d, service asked %q, output\n%s", status, seen, output)
			}
			if strings.Contains(output, "k1") || strings.Contains(output, "k2") {
				t.Errorf("a key is shown:\n%s", output)
			}
		})
	}
}

// A program under test sees the files of its own folder, the clock, standard input and the
// network; a pause takes no time.
func TestProgramsReachTheMachine(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"rate": 2}`) }))
	defer server.Close()
	start := time.Now()
	status, output, folder := runIn(t, nil, "a line\nanother\n", map[string]string{
		"rates.csv": "\ufeffcode,rate\nEUR,\"1,5\"\nUSD,2\n",
		"conf.json": `{"limit": 3}`,
		"app.cell": `
cell Shop {
    on rate(code: String) { return find(read_csv("rates.csv"), r => r.code == code).rate }
    on keep(text: String) { return write_file("kept.txt", text) }
    on save(rows: List) { return write_csv("out.csv", rows) }
    on fetch(url: String) { return http_get(url) }
    on wait() { let before = now_ms()  sleep(3600000)  return now_ms() - before }
}
cell test Shops { rules {
    assert rate("EUR") == "1,5"
    assert load("conf.json").limit == 3
    assert keep("hé\n") == true
    assert read_file("kept.txt") == "hé\n"
    assert read_file("../app.cell").error == "../app.cell: lies outside of the program's folder"
    assert read_file("/etc/passwd").error == "/etc/passwd: lies outside of the program's folder"
    assert read_file("none").error == "none: no such file or directory"
    assert save([map("a", 1, "b", "x,\"y\""), map("b", (), "c", 2.5)]) == true
    assert read_file("out.csv") == "a,b,c\n1,\"x,\"\"y\"\"\",\n,,2.5\n"
    assert keys(read_files(".")) == ["app.cell", "conf.json", "kept.txt", "out.csv", "rates.csv", "soma.toml"]
    assert read_stdin() == "a line\nanother\n"
    assert fetch("` + server.URL + `").rate == 2
    assert today() == "2024-05-06"
    assert wait() == 3600000
    assert random(1000000) == 555901
} }
cell test Again { rules {
    assert read_stdin() == "a line\nanother\n"
    assert today() == "2024-05-06"
    assert random(1000000) == 555901
} }
`})
	if status != 0 {
		t.Errorf("exit status %d:\n%s", status, output)
	}
	if data, err := os.ReadFile(filepath.Join(folder, "kept.txt")); err != nil || string(data) != "hé\n" {
		t.Errorf("%q, %v", data, err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
