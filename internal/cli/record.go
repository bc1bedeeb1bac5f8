package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rdfproto/rdfproto/rdf"
)

// writeRecord writes a record into a file that others may not read, since it names other
// parties: a new one, or in the place of an older record, which is what parse reads, of as
// many bytes as it takes. Any other file stays as it is: one that decisions are made from,
// a key. A device or a pipe is written to, and a link stays one.
func (in *input) writeRecord(ctx context.Context, file string, text []byte, takes int64, parse func(old []byte) error) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return replaceFile(file, text)
	case err != nil:
		return writeFailed(file, "record", err)
	case !info.Mode().IsRegular():
		if err := os.WriteFile(file, text, 0); err != nil {
			return writeFailed(file, "record", err)
		}
		return nil
	}
	old, err := in.bytes(ctx, filepath.Clean(file), takes)
	if err != nil {
		return err
	}
	if len(old) > 0 && parse(old) != nil {
		return writeFailed(file, "record", errors.New("the file is there and is no record"))
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return writeFailed(file, "record", err)
	}
	return replaceFile(file, text)
}

// lockRecord keeps everybody out who locks the folder of a record before writing it.
func lockRecord(file string) (unlock func(), err error) {
	at := file
	if real, err := filepath.EvalSymlinks(file); err == nil { // which is what is replaced
		at = real
	}
	if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() {
		return func() {}, nil // a device, which holds no record
	}
	folder, err := LockFolder(filepath.Dir(at))
	if err != nil {
		return nil, writeFailed(file, "record", err)
	}
	return func() { _ = folder.Close() }, nil
}

// replaceFile writes a file as a whole or not at all: readers see the old one or the
// new one, which its owner alone may read.
func replaceFile(file string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".record-*")
	if err != nil {
		return writeFailed(file, "record", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return writeFailed(file, "record", err)
	}
	return nil
}

// writeFailed is a file that was not written.
func writeFailed(file, what string, err error) error {
	return &failure{status: StatusCall, place: rdf.Place{File: file}, code: "write-failed", text: "cannot write the " + what + ": " + withoutPath(err).Error()}
}
