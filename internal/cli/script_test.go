package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rdfproto/rdfproto/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rdfproto": func() {
			os.Exit(int(cli.Run(context.Background(), os.Args[1:], cli.Standard())))
		},
	})
}

// TestScripts runs the scripts of testdata/script, one a command. Beside the
// commands of testscript they know
//
//	status N [stdout-file] COMMAND...   the command ends with exit status N
func TestScripts(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TESTDATA", filepath.Join(root, "testdata"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status,
		},
	})
}

// status runs a command and checks its exit status. That a command ended by
// a panic, which is status 2 as well, is told by its standard error.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	ts.Logf("exit status %d", got)
	if got != want {
		ts.Fatalf("exit status %d, expected %d", got, want)
	}
}
