package main

// runner is a program whose test cell keeps the interpreter busy.
type runner struct{ name, text string }

func runners() []runner {
	return []runner{
		{"ten million additions of Ints", `cell Mill {
    on add(n: Int) {
        let sum = 0
        let i = 0
        while i < n {
            sum += i
            i += 1
        }
        return sum
    }
}

cell test MillTests {
    rules {
        assert add(5000000) == 12499997500000
    }
}
`},
		{"fib(27)", `cell Mill {
    on fib(n: Int) {
        if n < 2 { return n }
        return fib(n - 1) + fib(n - 2)
    }
}

cell test MillTests {
    rules {
        assert fib(27) == 196418
    }
}
`},
		{"a hundred thousand writes of a slot", `cell Mill {
    memory {
        last: Map<String, Int> [persistent]
        invariant last >= 0
    }
    on write(n: Int) {
        let i = 0
        while i < n {
            last.set("k{i % 1000}", i)
            i += 1
        }
        return last.len
    }
}

cell test MillTests {
    rules {
        assert write(100000) == 1000
    }
}
`},
	}
}
