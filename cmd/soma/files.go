package main

import (
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a whole file or nothing: readers see the old text or the new one. A file
// that is there keeps its mode, and a link goes on pointing to it.
func writeFile(path string, data []byte) error {
	err := func() error {
		mode := os.FileMode(fileMode)
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
			if info, err := os.Stat(path); err == nil {
				if !info.Mode().IsRegular() {
					return os.WriteFile(path, data, mode) // a device or a pipe is written to as it is
				}
				mode = info.Mode().Perm()
			}
		}
		temp, err := os.CreateTemp(filepath.Dir(path), ".soma-*")
		if err != nil {
			return err
		}
		defer os.Remove(temp.Name()) // gone already when the renaming succeeded
		if _, err := temp.Write(data); err != nil {
			temp.Close()
			return err
		}
		if err := temp.Chmod(mode); err != nil {
			temp.Close()
			return err
		}
		if err := temp.Close(); err != nil {
			return err
		}
		return os.Rename(temp.Name(), path)
	}()
	if err != nil {
		return usageError(cannotWrite(path, err))
	}
	return nil
}

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
