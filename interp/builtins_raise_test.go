package interp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve/resolvetest"
)

// The proofs believe the table: a pure builtin that is given what its signature asks for gives
// what the signature promises, or raises a kind that its row lists, and "type" only where the
// row says that it refuses some.
func TestBuiltinsKeepToTheirRows(t *testing.T) {
	values := []Value{
		NewInt(-1), NewInt(0), NewInt(3), NewInt(math.MaxInt64),
		Float(math.NaN()), Float(math.Inf(1)), Float(1.5), Float(-1e300),
		String(""), String("a"), String("é["), String("12"), String("2024-01-31"), String("%d{"), String("desc"),
		Bool(true), Unit{},
		NewList(), NewList(NewInt(1), String("a")), NewList(NewInt(2), NewInt(1)), NewList(NewList(NewInt(1)), NewList(NewInt(2))),
		NewMap(), NewMap().With("a", NewInt(1)), NewList(NewMap().With("a", NewInt(1)), NewMap().With("a", String("x"))),
	}
	for _, b := range builtin.All() {
		if b.Class != builtin.Pure || slices.Contains(b.Raises, builtin.AnyKind) {
			continue // sse is not supported, whatever it is given
		}
		for n := b.Min; n <= max(2, b.Min) && b.Accepts(n); n++ {
			if b.Name == "map" && n%2 == 1 || b.Name == "with" && n == 2 {
				continue // refused by the check
			}
			names := []string{"a", "b", "c"}[:n]
			typed := strings.Join(names, ": Any, ")
			if n > 0 {
				typed += ": Any"
			}
			w := New(resolvetest.Program(t, fmt.Sprintf("cell P { on h(%s) { return %s(%s) } }", typed, b.Name, strings.Join(names, ", "))), Options{})
			tuples(values, n, func(args []Value) { checkRow(t, w, b, args) })
		}
	}
}

// tuples visits all lists of n values.
func tuples(values []Value, n int, visit func([]Value)) {
	var rec func(args []Value)
	rec = func(args []Value) {
		if len(args) == n {
			visit(args)
			return
		}
		for _, v := range values {
			rec(append(args[:len(args):len(args)], v))
		}
	}
	rec(nil)
}

// checkRow runs one call and compares it with its row.
func checkRow(t *testing.T, w *World, b *builtin.Builtin, args []Value) {
	t.Helper()
	surely := true // no type error, as the lowering sees it: it knows scalars only
	for i, v := range args {
		is := b.ParamTypes(i)
		kind := v.Kind().String()
		surely = surely && (slices.Contains(is, "Any") || slices.Contains(is, kind) && kind != "List" && kind != "Map")
	}
	v, err := w.Call(context.Background(), "P", "h", args)
	var raised *Error
	switch {
	case errors.As(err, &raised):
		allowed := raised.Kind == KindLimit || slices.Contains(b.Raises, raised.Kind)
		if raised.Kind == "type" {
			allowed = b.Refuses || !surely
		}
		if !allowed {
			t.Errorf("%s%v raises %s, which its row does not list", b.Name, args, raised.Kind)
		}
	case err == nil && surely:
		result, optional := strings.CutSuffix(b.Result, "?")
		kind := v.Kind().String()
		of := strings.Split(result, "|")
		number := slices.Contains(of, "Number") && (kind == "Int" || kind == "Float")
		if result != "Any" && !(optional && kind == "Unit") && !number && !slices.Contains(of, kind) {
			t.Errorf("%s%v gives %s, its row promises %s", b.Name, args, kind, b.Result)
		}
	}
}
