package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a whole file or nothing: readers see the old text or the new one. A file
// that is there keeps its mode, and a link goes on pointing to it.
func writeFile(path string, data []byte) error {
	err := func() error {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return os.WriteFile(path, data, fileMode) // a device or a pipe is written to as it is
		}
		s, err := stage(path, data)
		if err != nil {
			return err
		}
		defer s.discard()
		return s.commit()
	}()
	if err != nil {
		return usageError(cannotWrite(path, err))
	}
	return nil
}

// staged is a file that was written beside the one whose place it is to take.
type staged struct {
	temp, target string
	old          []byte // what the target held, where somebody asks
}

// stage writes data beside the file that a path leads to, with that file's mode.
func stage(path string, data []byte) (*staged, error) {
	mode := os.FileMode(fileMode)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
		if err := mayWrite(path); err != nil {
			return nil, err
		}
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".soma-*")
	if err != nil {
		return nil, err
	}
	s := &staged{temp: temp.Name(), target: path}
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(mode), temp.Close())
	if err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

// mayWrite is an error for a file that is kept from being written, which renaming would pass over.
func mayWrite(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// commit puts the file in its place.
func (s *staged) commit() error { return os.Rename(s.temp, s.target) }

// discard forgets a file that was not committed.
func (s *staged) discard() { os.Remove(s.temp) }

// readUpTo reads a file of at most n bytes. More, from a device that never ends too, is an error.
func readUpTo(path string, n int) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= int64(n) {
		return os.ReadFile(path)
	}
	data, err := io.ReadAll(io.LimitReader(file, int64(n)+1))
	if err == nil && len(data) > n {
		err = errTooLong(n)
	}
	return data, err
}

// fileMode is the mode of files that soma writes.
const fileMode = 0o644
