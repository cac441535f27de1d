// Command z3check tells whether Z3's library can be loaded and used here, the way soma does.
// Exit status 0 means yes; otherwise the reason stands on standard error.
package main

import (
	"fmt"
	"os"

	"soma.cell/smt"
	"soma.cell/smt/z3"
)

func main() {
	solver, err := z3.Open(os.Getenv("SOMA_Z3"), smt.Limits{})
	if err == nil {
		err = solver.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
