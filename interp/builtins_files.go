package interp

import (
	"encoding/csv"
	"path"
	"strings"
)

// Builtins that read and write files. None raises for what a file system does: a failure is a
// value with the field error.

func fileBuiltins() map[string]impl {
	return map[string]impl{
		"read_file": builtinReadFile, "include": builtinReadFile, "load_template": builtinReadFile,
		"write_file": builtinWriteFile, "read_files": builtinReadFiles,
		"read_csv": builtinReadCSV, "write_csv": builtinWriteCSV, "load": builtinLoad,
	}
}

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
	return text(data), nil
}

// text is the content of a file as a text: without a byte-order mark, and valid.
func text(data []byte) String {
	return String(strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\uFFFD"))
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

// builtinReadFiles gives the texts of the files in a folder under their names.
func builtinReadFiles(c *call) (Value, error) {
	folder, err := c.str(0)
	if err != nil {
		return nil, err
	}
	if c.w.opts.Files == nil {
		return failure(noFiles()), nil
	}
	names, err := c.w.opts.Files.ReadDir(folder)
	if err != nil {
		return failure(err.Error()), nil
	}
	out := NewMap()
	for _, name := range names {
		data, err := c.w.opts.Files.ReadFile(path.Join(folder, name))
		if err != nil {
			return failure(err.Error()), nil
		}
		if err := c.w.allocate(len(data)); err != nil {
			return nil, err
		}
		out = out.With(name, text(data))
	}
	return out, nil
}

// builtinReadCSV gives a row for each record, with the first record's names.
func builtinReadCSV(c *call) (Value, error) {
	data, failed, err := c.file()
	if err != nil || failed != nil {
		return failed, err
	}
	records, err := csv.NewReader(strings.NewReader(string(text(data)))).ReadAll()
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

// builtinWriteCSV writes rows under the names of their fields, in order of first sight.
func builtinWriteCSV(c *call) (Value, error) {
	rows, err := c.rows(1)
	if err != nil {
		return nil, err
	}
	fields := NewMap()
	for _, row := range rows {
		for _, k := range row.Keys() {
			if _, known := fields.Get(k); !known {
				fields = fields.With(k, Unit{})
			}
		}
	}
	var b strings.Builder
	out := csv.NewWriter(&b)
	if fields.Len() > 0 {
		out.Write(fields.Keys()) // to memory: cannot fail
	}
	for _, row := range rows {
		record := make([]string, fields.Len())
		for i, k := range fields.Keys() {
			if v := cell(row, k); v.Kind() != UnitKind { // () is written as nothing
				if record[i], err = c.w.text(v); err != nil {
					return nil, err
				}
			}
		}
		if err := c.w.spend(len(record)); err != nil {
			return nil, err
		}
		out.Write(record)
	}
	out.Flush()
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
		v, err := FromJSON(string(text(data)))
		if err != nil {
			return failure(err.Error()), nil
		}
		return v, nil
	}
	return builtinReadFile(c)
}
