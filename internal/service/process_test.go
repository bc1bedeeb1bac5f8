package service_test

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/owg"
)

func TestMain(m *testing.M) {
	service.Quiet()
	testscript.Main(m, map[string]func(){
		"rdfprotod": func() {
			os.Exit(int(service.Run(service.WithSignals(context.Background()), os.Args[1:], cli.Standard())))
		},
		"rdfproto": func() {
			os.Exit(int(cli.Run(cli.WithSignals(context.Background()), os.Args[1:], cli.Standard())))
		},
	})
}

// TestProcess starts and stops the program: as itself, and by rdfproto, which becomes
// it.
func TestProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // it has no SIGTERM
	}
	for _, program := range []string{"rdfprotod", "rdfproto"} {
		for _, asked := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
			if signal.Ignored(asked) {
				continue // as under nohup: the program inherits that and has to leave it so
			}
			t.Run(program+" "+asked.String(), func(t *testing.T) {
				t.Parallel()
				cmd := exec.CommandContext(t.Context(), program, "serve", "--listen", "127.0.0.1:0")
				var log strings.Builder
				cmd.Stderr = &log
				out, err := cmd.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, cmd.Start())
				line, err := bufio.NewReader(out).ReadString('\n')
				require.NoError(t, err)
				url := strings.TrimSpace(line)
				require.Regexp(t, `^http://127\.0\.0\.1:[0-9]+$`, url)
				resp, err := http.Post(url+"/v1/hash", turtle, strings.NewReader(testdata(t, "grant-access.ttl")))
				require.NoError(t, err)
				require.Equal(t, grantPin, read(t, resp).str("hash"))
				require.NoError(t, cmd.Process.Signal(asked))
				require.NoError(t, cmd.Wait(), "%s", &log)
				require.Contains(t, log.String(), `"msg":"ended"`)
			})
		}
	}
	out, err := exec.CommandContext(t.Context(), "rdfproto", "serve", "--listen", "0.0.0.0:0").CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 2, exit.ExitCode())
	require.Contains(t, string(out), "[exposed]")
}

// TestProcessWithoutReader: the service lives on when whoever read its log is gone.
func TestProcessWithoutReader(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // it has no SIGTERM
	}
	cmd := exec.CommandContext(t.Context(), "rdfprotod", "serve", "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, err = bufio.NewReader(log).ReadString('\n') // it listens
	require.NoError(t, err)
	require.NoError(t, log.Close())
	for range 3 {
		resp, err := http.Post(strings.TrimSpace(line)+"/v1/hash", turtle, strings.NewReader(testdata(t, "grant-access.ttl")))
		require.NoError(t, err)
		require.Equal(t, grantPin, read(t, resp).str("hash"))
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}

// TestOwgWithoutReader: what the agent answers is in the record also when nobody reads any
// more how things go.
func TestOwgWithoutReader(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	agent := hire(t, &worker{work: func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		<-gate
		ends(sdk.TaskStateCompleted, "", "dub_ep1")(ctx, ec, yield)
	}}, false, true)
	record := filepath.Join(t.TempDir(), "run.json")
	cmd := exec.CommandContext(t.Context(), "rdfprotod", "owg", "run", "--insecure-plaintext", "--record", record, "--card", agent.url, season(t), "dub")
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	var out strings.Builder
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	_, err = bufio.NewReader(said).ReadString('\n') // of the attempt that runs
	require.NoError(t, err)
	require.NoError(t, said.Close())
	close(gate)
	require.NoError(t, cmd.Wait())
	require.Equal(t, owg.StatusSucceeded, recorded(t, record).Attempts[0].Status)
	require.Contains(t, out.String(), `"status":"succeeded"`)
}
