// Package z3 decides queries with Z3, loaded into the process at run time and without cgo.
//
// Rules of the boundary: no Go function is ever called from C (the error handler is null and the
// error code is read after each call), every object is reference-counted by hand and freed with
// its query or its context, and a context is used by one goroutine at a time.
package z3

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// library holds the C functions of one loaded libz3. The groups are declared beside their use.
type library struct {
	contextFunctions
	sortFunctions
	termFunctions
	solverFunctions
	modelFunctions
}

// proc is a C function whose arguments and result are integers or pointers.
type proc struct {
	name string
	addr uintptr
}

// call calls the function. Pointers into Go memory must be converted in the argument list of
// the call, which keeps them alive.
//
//go:uintptrescapes
func (p proc) call(args ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(p.addr, args...)
	return result
}

// load opens libz3 at the path, or under its usual names when the path is empty, and looks up
// every function.
func load(path string) (*library, error) {
	handle, err := open(path)
	if err != nil {
		return nil, err
	}
	lib := &library{}
	groups := reflect.ValueOf(lib).Elem()
	for i := range groups.NumField() {
		if err := resolve(handle, groups.Field(i)); err != nil {
			return nil, err
		}
	}
	return lib, nil
}

func open(path string) (uintptr, error) {
	names := []string{path}
	if path == "" {
		names = usualNames(runtime.GOOS)
	}
	var first error
	for _, name := range names {
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err == nil {
			return handle, nil
		}
		if first == nil {
			first = err
		}
	}
	return 0, errLoad(path, first)
}

func usualNames(system string) []string {
	if system == "darwin" {
		return []string{"libz3.dylib", "/opt/homebrew/lib/libz3.dylib", "/usr/local/lib/libz3.dylib"}
	}
	return []string{"libz3.so.4", "libz3.so"}
}

// resolve looks up the functions named by the tags of a group's fields.
func resolve(handle uintptr, group reflect.Value) error {
	for i := range group.NumField() {
		name := group.Type().Field(i).Tag.Get("c")
		addr, err := purego.Dlsym(handle, name)
		if err != nil {
			return errSymbol(name, err)
		}
		*(*proc)(group.Field(i).Addr().UnsafePointer()) = proc{name: name, addr: addr}
	}
	return nil
}

// cString is a NUL-terminated copy.
func cString(s string) *byte { return &append([]byte(s), 0)[0] }

// goString copies a NUL-terminated text owned by the library.
func goString(addr uintptr) string {
	if addr == 0 {
		return ""
	}
	start := *(**byte)(unsafe.Pointer(&addr))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(start), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(start, n))
}

// cBool reads a result of C type bool, of which only the low byte is defined.
func cBool(result uintptr) bool { return result&0xff != 0 }
