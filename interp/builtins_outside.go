package interp

import (
	"bytes"
	"encoding/csv"
	"path"
	"strings"
)

func outsideBuiltins() map[string]impl {
	out := map[string]impl{
		"print": builtinPrint, "write_str": builtinWriteStr, "read_stdin": builtinReadStdin,
		"read_file": builtinReadFile, "include": builtinReadFile, "load_template": builtinReadFile,
		"write_file": builtinWriteFile, "read_csv": builtinReadCSV, "write_csv": builtinWriteCSV, "load": builtinLoad,
		"html":     response("html", "body", "status"),
		"response": response("response", "status", "body", "headers"),
		"redirect": response("redirect", "url", "status"),
	}
	for _, method := range []string{"get", "post", "put", "patch", "delete"} {
		out["http_"+method] = fetch(strings.ToUpper(method))
	}
	return out
}

// fetch is an HTTP builtin; it never raises for what the network does.
func fetch(method string) impl {
	return func(c *call) (Value, error) {
		url, err := c.str(0)
		if err != nil {
			return nil, err
		}
		f := Fetch{Method: method, URL: url, Body: Unit{}, Opts: NewMap()}
		rest := c.args[1:]
		if len(rest) > 0 && method != "GET" && method != "DELETE" {
			f.Body, rest = rest[0], rest[1:]
		}
		if len(rest) > 0 && rest[0].Kind() != UnitKind {
			if f.Opts, err = c.mapping(len(c.args) - 1); err != nil {
				return nil, err
			}
		}
		if c.w.opts.Network == nil {
			return NetworkFailure("network", noNetwork()), nil
		}
		return c.w.opts.Network(f), nil
	}
}

func (w *World) print(text string) {
	if w.opts.Print != nil {
		w.opts.Print(text)
	}
}

func builtinPrint(c *call) (Value, error) {
	texts := make([]string, len(c.args))
	for i, v := range c.args {
		var err error
		if texts[i], err = c.w.text(v); err != nil {
			return nil, err
		}
	}
	c.w.print(strings.Join(texts, " ") + "\n")
	return Unit{}, nil
}

func builtinWriteStr(c *call) (Value, error) {
	s, err := c.w.text(c.args[0])
	if err != nil {
		return nil, err
	}
	c.w.print(s)
	return Unit{}, nil
}

func builtinReadStdin(c *call) (Value, error) { return String(c.w.opts.Input), nil }

func failure(text string) Value { return MapOf("error", String(text)) }

// file reads the file that argument 0 names; failed is the {error} value when it cannot.
func (c *call) file() (data []byte, failed Value, err error) {
	name, err := c.str(0)
	if err != nil {
		return nil, nil, err
	}
	if c.w.opts.Files == nil {
		return nil, failure(noFiles()), nil
	}
	data, err = c.w.opts.Files.ReadFile(name)
	if err != nil {
		return nil, failure(err.Error()), nil
	}
	return data, nil, c.w.allocate(len(data))
}

func builtinReadFile(c *call) (Value, error) {
	data, failed, err := c.file()
	if err != nil || failed != nil {
		return failed, err
	}
	return String(data), nil
}

func (c *call) write(data string) (Value, error) {
	name, err := c.str(0)
	if err != nil {
		return nil, err
	}
	if c.w.opts.Files == nil {
		return failure(noFiles()), nil
	}
	if err := c.w.opts.Files.WriteFile(name, []byte(data)); err != nil {
		return failure(err.Error()), nil
	}
	return Bool(true), nil
}

func builtinWriteFile(c *call) (Value, error) {
	text, err := c.w.text(c.args[1])
	if err != nil {
		return nil, err
	}
	return c.write(text)
}

// builtinReadCSV gives a row for each record, with the first record's names.
func builtinReadCSV(c *call) (Value, error) {
	data, failed, err := c.file()
	if err != nil || failed != nil {
		return failed, err
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return failure(err.Error()), nil
	}
	var rows []Value
	for i, record := range records {
		if i == 0 {
			continue
		}
		m := NewMap()
		for j, v := range record {
			m = m.With(records[0][j], String(v))
		}
		rows = append(rows, m)
	}
	return NewList(rows...), nil
}

// builtinWriteCSV writes rows under the fields of the first one.
func builtinWriteCSV(c *call) (Value, error) {
	rows, err := c.rows(1)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	out := csv.NewWriter(&b)
	for i, row := range rows {
		if i == 0 {
			err = out.Write(row.Keys())
		}
		var record []string
		for _, k := range rows[0].Keys() {
			text, err := c.w.text(cell(row, k))
			if err != nil {
				return nil, err
			}
			record = append(record, text)
		}
		if err == nil {
			err = out.Write(record)
		}
	}
	out.Flush()
	if err != nil {
		return failure(err.Error()), nil
	}
	return c.write(b.String())
}

// builtinLoad reads a data file by its ending: JSON, CSV, else text.
func builtinLoad(c *call) (Value, error) {
	name, err := c.str(0)
	if err != nil {
		return nil, err
	}
	switch path.Ext(name) {
	case ".csv":
		return builtinReadCSV(c)
	case ".json":
		data, failed, err := c.file()
		if err != nil || failed != nil {
			return failed, err
		}
		v, err := FromJSON(string(data))
		if err != nil {
			return failure(err.Error()), nil
		}
		return v, nil
	}
	return builtinReadFile(c)
}

// response builds a response value: its kind and the arguments by name.
func response(kind string, names ...string) impl {
	return func(c *call) (Value, error) {
		m := NewMap().With("_response", String(kind))
		for i, v := range c.args {
			m = m.With(names[i], v)
		}
		return m, nil
	}
}
