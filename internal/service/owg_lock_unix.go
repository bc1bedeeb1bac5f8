//go:build unix

package service

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockFolder opens a folder and locks it against others that do so; closing it ends the
// lock.
func lockFolder(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(lockTime); ; {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || time.Now().After(end) {
			return nil, errors.Join(fmt.Errorf("the folder cannot be locked: %w", err), f.Close())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// syncFolder has the names in a folder on the disk.
func syncFolder(f *os.File) error { return f.Sync() }
