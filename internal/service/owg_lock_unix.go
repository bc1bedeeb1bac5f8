//go:build unix

package service

import (
	"errors"
	"os"
	"syscall"
)

// lockFile makes a file and locks it. It reports false where another call has it locked.
// Unlock removes the file again.
func lockFile(name string) (unlock func(), ok bool, err error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, false, err
		}
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return nil, false, f.Close()
		case errors.Is(err, syscall.EINTR):
			_ = f.Close()
			continue
		case err != nil:
			return nil, false, errors.Join(err, f.Close())
		}
		// Whoever had it locked before may have removed it in between: a lock on a file
		// without a name keeps nobody out.
		held, err1 := f.Stat()
		named, err2 := os.Lstat(name)
		if err1 == nil && err2 == nil && os.SameFile(held, named) {
			return func() { _, _ = os.Remove(name), f.Close() }, true, nil
		}
		_ = f.Close()
		if err1 != nil || err2 != nil && !errors.Is(err2, os.ErrNotExist) {
			return nil, false, errors.Join(err1, err2)
		}
	}
}

// syncFolder has the names in a folder on the disk.
func syncFolder(f *os.File) error { return f.Sync() }
