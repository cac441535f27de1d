package main

import (
	"os"
	"path/filepath"
)

// writeFile writes a whole file or nothing: readers see the old text or the new one.
func writeFile(path string, data []byte) error {
	err := func() error {
		temp, err := os.CreateTemp(filepath.Dir(path), ".soma-*")
		if err != nil {
			return err
		}
		defer os.Remove(temp.Name()) // gone already when the renaming succeeded
		if _, err := temp.Write(data); err != nil {
			temp.Close()
			return err
		}
		if err := temp.Chmod(fileMode); err != nil {
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

// fileMode is the mode of files that soma writes.
const fileMode = 0o644
