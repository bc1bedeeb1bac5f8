//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockTime bounds waiting for another process that writes a record.
const lockTime = 10 * time.Second

// LockFolder opens a folder and locks it against others that do so: those that read a
// record in it and write it again. Closing it ends the lock.
func LockFolder(name string) (*os.File, error) {
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
