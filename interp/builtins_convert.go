package interp

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

func conversionBuiltins() map[string]impl {
	return map[string]impl{
		"to_string": builtinToString, "to_int": builtinToInt, "to_float": builtinToFloat,
		"parse_int": builtinParseInt, "parse_float": builtinParseFloat,
		"to_json": builtinToJSON, "from_json": builtinFromJSON,
		"type_of": builtinTypeOf, "is_a": builtinIsA, "is_type": builtinIsA, "fail": builtinFail,
	}
}

func builtinToString(c *call) (Value, error) {
	s, err := c.w.text(c.args[0])
	return String(s), err
}

// builtinToInt is lenient: numbers are truncated, texts are trimmed, Bools count 1 and 0.
func builtinToInt(c *call) (Value, error) {
	switch v := c.args[0].(type) {
	case Int:
		return v, nil
	case Float:
		if n, ok := truncate(float64(v)); ok {
			return n, nil
		}
	case Bool:
		if v {
			return NewInt(1), nil
		}
		return NewInt(0), nil
	case String:
		text := strings.ReplaceAll(strings.TrimSpace(string(v)), "_", "")
		if n, ok := parseInt(text); ok {
			return n, nil
		}
		if f, ok := parseFloat(text).(Float); ok {
			if n, ok := truncate(float64(f)); ok {
				return n, nil
			}
		}
	}
	return Unit{}, nil
}

func builtinToFloat(c *call) (Value, error) {
	switch v := c.args[0].(type) {
	case Int, Float:
		f, _ := asFloat(v)
		return Float(f), nil
	case String:
		return parseFloat(strings.TrimSpace(string(v))), nil
	}
	return Unit{}, nil
}

// parseInt reads digits with an optional sign.
func parseInt(s string) (Int, bool) {
	if len(s) > maxBits/4 {
		return Int{}, false
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || strings.Contains(s, "_") {
		return Int{}, false
	}
	return BigInt(n), true
}

var decimalNumber = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// parseFloat reads a decimal number, else gives ().
func parseFloat(s string) Value {
	if !decimalNumber.MatchString(s) {
		return Unit{}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return Unit{}
	}
	return Float(f)
}

func builtinParseInt(c *call) (Value, error) {
	s, err := c.str(0)
	if err != nil {
		return nil, err
	}
	if n, ok := parseInt(s); ok {
		return n, nil
	}
	return Unit{}, nil
}

func builtinParseFloat(c *call) (Value, error) {
	s, err := c.str(0)
	if err != nil {
		return nil, err
	}
	return parseFloat(s), nil
}

func builtinToJSON(c *call) (Value, error) {
	if err := c.w.payToWrite(c.args[0]); err != nil {
		return nil, err
	}
	return String(ToJSON(c.args[0])), nil
}

func builtinFromJSON(c *call) (Value, error) {
	s, err := c.str(0)
	if err != nil {
		return nil, err
	}
	if err := c.w.spend(len(s)); err != nil {
		return nil, err
	}
	return FromJSON(s)
}

func builtinTypeOf(c *call) (Value, error) { return String(c.args[0].Kind().String()), nil }

// builtinIsA knows kinds, variants, their types and the names of records.
func builtinIsA(c *call) (Value, error) {
	name, err := c.str(1)
	if err != nil {
		return nil, err
	}
	v := c.args[0]
	if x, ok := v.(*Variant); ok && (x.Of.Name == name || x.Of.Type.Name == name) {
		return Bool(true), nil
	}
	if recordName(v) == name && name != "" {
		return Bool(true), nil
	}
	return Bool(v.Kind().String() == name || name == "Any"), nil
}

// builtinFail raises a kind with a detail, or raises again what try caught.
func builtinFail(c *call) (Value, error) {
	if m, ok := c.args[0].(*Map); ok {
		caught, raised, err := caughtError(m)
		if err != nil {
			return nil, err
		}
		if !raised {
			return nil, errNothingToFail()
		}
		return nil, caught
	}
	kind, err := c.w.text(c.args[0])
	if err != nil {
		return nil, err
	}
	e := &Error{Kind: kind}
	if c.has(1) {
		if e.Detail, err = c.w.text(c.args[1]); err != nil {
			return nil, err
		}
	}
	return nil, e
}
