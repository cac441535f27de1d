// Package outside is what programs under test see of the machine: a folder, and HTTP.
package outside

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Folder is the files below one folder, and no others. An absolute path and `..` beyond the
// folder are refused by name, a symbolic link that leads out of it by the system. A folder named "" has no files.
type Folder string

// MaxFile is the largest file that programs read, in bytes.
const MaxFile = 16 << 20

// ReadFile reads a file of the folder.
func (f Folder) ReadFile(name string) ([]byte, error) {
	return in(f, name, func(root *os.Root, name string) ([]byte, error) {
		file, err := root.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
			return nil, errNoFile
		}
		data, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
		if err == nil && len(data) > MaxFile {
			err = errLarge
		}
		return data, err
	})
}

// WriteFile writes a file of the folder; its own folder must be there.
func (f Folder) WriteFile(name string, data []byte) error {
	_, err := in(f, name, func(root *os.Root, name string) (struct{}, error) {
		if info, err := root.Stat(name); err == nil && !info.Mode().IsRegular() {
			return struct{}{}, errNoFile
		}
		return struct{}{}, root.WriteFile(name, data, 0o644)
	})
	return err
}

// ReadDir gives the names of the plain files in a folder of the folder, sorted.
func (f Folder) ReadDir(name string) ([]string, error) {
	return in(f, name, func(root *os.Root, name string) ([]string, error) {
		dir, err := root.Open(name)
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		entries, err := dir.ReadDir(-1)
		var names []string
		for _, e := range entries {
			if e.Type().IsRegular() {
				names = append(names, e.Name())
			}
		}
		slices.Sort(names)
		return names, err
	})
}

// in does something in the opened folder; its errors name what the program named, and no place
// of the machine.
func in[T any](f Folder, name string, do func(*os.Root, string) (T, error)) (T, error) {
	var none T
	if f == "" || name == "" {
		return none, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return none, fmt.Errorf("%s: %w", name, errOutside)
	}
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return none, plain(name, err)
	}
	defer root.Close()
	v, err := do(root, filepath.FromSlash(name))
	if err != nil {
		return none, plain(name, err)
	}
	return v, nil
}

var (
	errOutside = errors.New("lies outside of the program's folder")
	errNoFile  = errors.New("is no plain file")
	errLarge   = fmt.Errorf("is larger than %d bytes", MaxFile)
)

func plain(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
