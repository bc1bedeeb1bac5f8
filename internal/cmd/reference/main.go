// Reference writes the pages of docs that are made from the code:
//
//	go run ./internal/cmd/reference
//
// from the root of the module.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rdfproto/rdfproto/internal/reference"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run() error {
	page, err := reference.Errors()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("docs", "errors.md"), page, 0o644)
}
