package term

// MaxDepth bounds the terms that Check, Parse and ParseBank accept, so that recursion over an
// accepted term cannot exhaust the stack.
const MaxDepth = 10_000

// Check tells whether the terms are well sorted: each operator has arguments of the number and
// sorts it asks for, enum literals are values of their sort, sorts are well formed. Only a
// checked term may be given to a solver. Cost: linear in the distinct nodes.
func Check(ts ...*Term) error {
	seen := map[*Term]bool{}
	var visit func(t *Term) error
	visit = func(t *Term) error {
		if t == nil {
			return errNilTerm()
		}
		if seen[t] {
			return nil
		}
		seen[t] = true
		for _, a := range t.Args {
			if err := visit(a); err != nil {
				return err
			}
		}
		return checkNode(t)
	}
	for _, t := range ts {
		if t != nil && t.depth > MaxDepth {
			return errTooDeep()
		}
		if err := visit(t); err != nil {
			return err
		}
	}
	return nil
}

// Check tells whether the sort is well formed: enums have values, all different.
func (s *Sort) Check() error { return s.check(0) }

func (s *Sort) check(depth int) error {
	switch {
	case s == nil:
		return errNilSort()
	case depth > maxSortDepth:
		return errTooDeep()
	}
	switch s.Kind {
	case KindBool, KindInt, KindString, KindFloat, KindUnit, KindOpaque:
		return nil
	case KindEnum:
		if len(s.Values) == 0 {
			return errSort(s, "an enum needs a value")
		}
		seen := map[string]bool{}
		for _, v := range s.Values {
			if seen[v] {
				return errSort(s, "value "+symbol(v)+" occurs twice")
			}
			seen[v] = true
		}
		return nil
	case KindArray:
		if err := s.Key.check(depth + 1); err != nil {
			return err
		}
		return s.Elem.check(depth + 1)
	}
	return errSort(s, "unknown kind")
}

// maxSortDepth bounds arrays of arrays.
const maxSortDepth = 100

// signature is the typing of an operator whose sorts do not depend on its arguments: at least
// min and at most max arguments (0: any number), all of sort arg.
type signature struct {
	min, max    int
	arg, result *Sort
}

var signatures = map[Op]signature{
	OpNot:     {1, 1, Bool, Bool},
	OpAnd:     {2, 0, Bool, Bool},
	OpOr:      {2, 0, Bool, Bool},
	OpImplies: {2, 2, Bool, Bool},
	OpAdd:     {2, 0, Int, Int},
	OpMul:     {2, 2, Int, Int},
	OpLe:      {2, 2, Int, Bool},
	OpLt:      {2, 2, Int, Bool},
	OpConcat:  {2, 2, String, String},
	OpFAdd:    {2, 2, Float, Float},
	OpFSub:    {2, 2, Float, Float},
	OpFMul:    {2, 2, Float, Float},
	OpFDiv:    {2, 2, Float, Float},
	OpFLe:     {2, 2, Float, Bool},
	OpFLt:     {2, 2, Float, Bool},
	OpFEq:     {2, 2, Float, Bool},
}

// checkNode checks one node whose arguments are well sorted.
func checkNode(t *Term) error {
	if sig, ok := signatures[t.Op]; ok {
		return checkSignature(t, sig)
	}
	if err := checkSortOf(t); err != nil {
		return err
	}
	switch t.Op {
	case OpVar, OpString, OpTrue, OpFalse, OpInt, OpFloat, OpUnit, OpEnum:
		return checkLeaf(t)
	case OpEq:
		if len(t.Args) != 2 {
			return errArity(t.Op, len(t.Args))
		}
		return checkArg(t, 1, t.Args[0].Sort)
	case OpIte:
		return checkArgs(t, Bool, t.Sort, t.Sort)
	case OpSelect, OpStore:
		return checkArray(t)
	case OpApp:
		return nil
	}
	return errUnknownOp(t.Op)
}

func checkSignature(t *Term, sig signature) error {
	if n := len(t.Args); n < sig.min || sig.max > 0 && n > sig.max {
		return errArity(t.Op, n)
	}
	for i := range t.Args {
		if err := checkArg(t, i, sig.arg); err != nil {
			return err
		}
	}
	return checkResult(t, sig.result)
}

// checkSortOf checks the sort a node declares. Other operators than these take theirs from
// arguments that were checked.
func checkSortOf(t *Term) error {
	switch t.Op {
	case OpVar, OpEnum, OpApp:
		return t.Sort.Check()
	case OpEq:
		return checkResult(t, Bool)
	case OpSelect, OpStore: // checkArray says more
		return nil
	}
	if t.Sort == nil {
		return errNilSort()
	}
	return nil
}

func checkLeaf(t *Term) error {
	if len(t.Args) != 0 {
		return errArity(t.Op, len(t.Args))
	}
	switch t.Op {
	case OpTrue, OpFalse:
		return checkResult(t, Bool)
	case OpInt:
		if t.Int == nil {
			return errLiteral(t.Op, "no value")
		}
		return checkResult(t, Int)
	case OpString:
		return checkResult(t, String)
	case OpFloat:
		return checkResult(t, Float)
	case OpUnit:
		return checkResult(t, Unit)
	case OpEnum:
		if t.Sort.Kind != KindEnum {
			return errResult(t.Op, t.Sort, "an enum")
		}
		for _, v := range t.Sort.Values {
			if v == t.Name {
				return nil
			}
		}
		return errNoValue(t.Sort, t.Name)
	}
	return nil
}

func checkArray(t *Term) error {
	if len(t.Args) == 0 {
		return errArity(t.Op, 0)
	}
	array := t.Args[0].Sort
	if array.Kind != KindArray {
		return errArg(t.Op, 0, array, "an array")
	}
	if t.Op == OpSelect {
		if err := checkResult(t, array.Elem); err != nil {
			return err
		}
		return checkArgs(t, array, array.Key)
	}
	if err := checkResult(t, array); err != nil {
		return err
	}
	return checkArgs(t, array, array.Key, array.Elem)
}

func checkArgs(t *Term, sorts ...*Sort) error {
	if len(t.Args) != len(sorts) {
		return errArity(t.Op, len(t.Args))
	}
	for i, s := range sorts {
		if err := checkArg(t, i, s); err != nil {
			return err
		}
	}
	return nil
}

func checkArg(t *Term, i int, want *Sort) error {
	if got := t.Args[i].Sort; !got.Same(want) {
		return errArg(t.Op, i, got, want.String())
	}
	return nil
}

func checkResult(t *Term, want *Sort) error {
	if t.Sort == nil {
		return errNilSort()
	}
	if !t.Sort.Same(want) {
		return errResult(t.Op, t.Sort, want.String())
	}
	return nil
}
