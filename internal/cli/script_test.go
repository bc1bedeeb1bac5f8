package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rdfproto": func() {
			status := cli.Run(context.Background(), os.Args[1:], cli.Standard())
			if file := os.Getenv(peakFile); file != "" {
				if err := os.WriteFile(file, []byte(peakKB()), 0o600); err != nil {
					panic(err)
				}
			}
			os.Exit(int(status))
		},
	})
}

// peakFile names an environment variable: the file into which the program
// writes its peak memory when it ends. The resource usage of a child process
// would not do: it begins with the memory of the test.
const peakFile = "RDFPROTO_TEST_PEAK"

// peakKB returns the peak resident memory of the process in kilobytes, "0"
// where the system does not tell.
func peakKB() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "0"
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	return strings.Fields(peak + " 0")[0]
}

// TestScripts runs the scripts of testdata/script, one a command. Beside the
// commands of testscript they know
//
//	status N [stdout-file] COMMAND...   the command ends with exit status N
//	mark FILE COPY                      copies a file, a byte order mark before it
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
			"mark":   mark,
		},
	})
}

// TestEveryCommandHasAScript: and a row in the README.
func TestEveryCommandHasAScript(t *testing.T) {
	t.Parallel()
	noRow := map[string]string{
		"serve":      "docs/service.md says what rdfprotod does",
		"call":       "likewise; serve has its script",
		"completion": "it is about the program",
		"version":    "likewise",
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	_, table, found := strings.Cut(string(readme), "| command | does |\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(table, -1) {
		rows[row[1]] = true
	}
	eachHelp(t, func(path []string, _ result) {
		if len(path) != 1 {
			return
		}
		name := path[0]
		require.True(t, rows[name] != (noRow[name] != ""), "%s needs a row in the README, or a reason why it has none", name)
		delete(rows, name)
		if name != "call" {
			require.FileExists(t, filepath.Join("testdata", "script", name+".txtar"))
		}
	})
	require.Empty(t, rows, "the README has commands that are not there")
}

// mark copies a file, a byte order mark before it.
func mark(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mark FILE COPY")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte("\ufeff"+ts.ReadFile(args[0])), 0o600))
}

// status runs a command and checks its exit status. That of a command that ended by a
// panic is 2 as well, and never right.
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
	if strings.Contains(ts.ReadFile("stderr"), "\ngoroutine ") {
		ts.Fatalf("a panic")
	}
	if got != want {
		ts.Fatalf("exit status %d, expected %d", got, want)
	}
}
