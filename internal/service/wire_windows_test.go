package service_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// There are no pipes with names in folders, and no Unix sockets of the service.
func makePipe(*testing.T, string) bool                     { return false }
func endAtOnce(*testing.T, ...string) (cli.Status, string) { return cli.StatusCall, "" }
func listenBusy(*testing.T, string) (end func())           { return func() {} }
