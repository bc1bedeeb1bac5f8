//go:build unix

package engine_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

// These tests take the disk from under an agent that remembers in a file: whatever
// becomes of the file, what cannot be remembered is refused with limit-exceeded and is not
// executed, and nothing is executed twice (a2a-rdf, RPL-2 and RPL-3).

// diskEnv holds the folder of a test that runs as a process of its own: a limit on the
// size of files and another user hold for all of one.
const diskEnv = "RDFPROTO_ENGINE_TEST_FOLDER"

// alone runs a test again as a process of its own, in a folder.
func alone(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^"+t.Name()+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), diskEnv+"="+dir)
	return cmd
}

// disk is an agent with its file.
type disk struct {
	*side
	path string
	log  string // of what was executed
}

func onDisk(t testing.TB, dir string, open func(string, bolt.Options) (*bolt.Store, error)) (*disk, error) {
	t.Helper()
	d := &disk{path: filepath.Join(dir, "store"), log: filepath.Join(dir, "log")}
	store, err := open(d.path, bolt.Options{Timeout: 100 * time.Millisecond})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = store.Close() })
	d.side = grantServer(t, &clock{at: noon}, func(c *engine.Config) { c.Store = store })
	d.store = store
	return d, nil
}

func diskIntent(t testing.TB, i int) engine.Message {
	return message("m-"+strconv.Itoa(i), "ctx", payload("intent", grant(t).Pin().String(), grantIntent, turtleMT))
}

// send gives an intent to the agent, which executes it and answers if it may, and reports
// whether it was refused. A refusal must say so to both sides.
func (d *disk) send(t testing.TB, i int) (kind engine.Kind, err error) {
	t.Helper()
	o, err := d.Receive(t.Context(), aliceToBob, diskIntent(t, i))
	consistent(t, &o)
	switch o.Kind {
	case engine.KindIntent:
		require.NoError(t, err)
		f, opened := os.OpenFile(d.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		require.NoError(t, opened)
		_, written := fmt.Fprintln(f, i)
		require.NoError(t, written)
		require.NoError(t, f.Close())
		m, failed := d.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
		require.NotEmpty(t, m.ID, "what was done is answered, kept or not")
		return o.Kind, failed
	case engine.KindRefused:
		require.Error(t, err, "the log says why")
		require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		require.Nil(t, o.Message)
	default:
		require.Equal(t, engine.KindDuplicate, o.Kind)
		require.NoError(t, err)
	}
	return o.Kind, err
}

// once returns which messages were executed, and fails for one that was twice.
func (d *disk) once(t testing.TB) map[int]bool {
	t.Helper()
	text, err := os.ReadFile(d.log)
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	all := map[int]bool{}
	for line := range strings.Lines(string(text)) {
		i, err := strconv.Atoi(strings.TrimSpace(line))
		require.NoError(t, err)
		require.False(t, all[i], "message %d was executed twice", i)
		all[i] = true
	}
	return all
}

// again restarts the agent, if its store can be opened, and sends it messages: those that
// were executed are known.
func again(t testing.TB, dir string, messages int) (opened error) {
	t.Helper()
	d, err := onDisk(t, dir, bolt.Open)
	if err != nil {
		return err
	}
	for i := range messages {
		_, _ = d.send(t, i)
	}
	d.once(t)
	return d.store.Close()
}

// TestDiskFull: the file cannot grow any more.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(diskEnv); dir != "" {
		signal.Ignore(syscall.SIGXFSZ)
		d, err := onDisk(t, dir, bolt.Create)
		require.NoError(t, err)
		limit := syscall.Rlimit{Cur: 160 << 10, Max: 160 << 10}
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
		refused, unkept := 0, 0
		for i := 0; refused < 50; i++ {
			require.Less(t, i, 10_000, "never full")
			switch kind, err := d.send(t, i); {
			case kind == engine.KindRefused:
				refused++
			case err != nil:
				unkept++
			}
		}
		executed := d.once(t)
		require.Greater(t, len(executed), 10)
		for i := range executed { // also without a restart
			kind, _ := d.send(t, i)
			require.Contains(t, []engine.Kind{engine.KindDuplicate, engine.KindRefused}, kind)
		}
		offer := message("o", "ctx-2", payload("upgrade-offer", "", offerJSON(grant(t).Pin(), true), ""))
		o, err := d.Receive(t.Context(), aliceToBob, offer)
		require.Error(t, err)
		require.Equal(t, engine.KindRefused, o.Kind)
		require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		_, err = d.Offer(t.Context(), engine.To{Peer: bobToAlice}, engine.OfferDraft{Pin: grant(t).Pin(), Source: source, Required: true})
		require.Error(t, err, "what cannot be remembered is not offered")
		fmt.Printf("executed %d, refused %d, answers not kept %d\n", len(executed), refused, unkept)
		return
	}
	dir := t.TempDir()
	out, err := alone(t, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
	require.Contains(t, string(out), "executed ")
	require.NoError(t, again(t, dir, 1000), "there is room again")
}

// TestDiskReadOnly: a folder in which nothing can be written, a file of which the same is
// true, and a store that was opened for reading.
func TestDiskReadOnly(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(diskEnv); dir != "" {
		if os.Getuid() == 0 { // whom no mode keeps out
			require.NoError(t, syscall.Setgroups(nil))
			require.NoError(t, syscall.Setgid(65534))
			require.NoError(t, syscall.Setuid(65534))
		}
		_, err := onDisk(t, filepath.Join(dir, "empty"), bolt.Create)
		require.ErrorIs(t, err, fs.ErrPermission)
		_, err = onDisk(t, filepath.Join(dir, "kept"), bolt.Open)
		require.ErrorIs(t, err, fs.ErrPermission, "there is no agent without its store")

		d, err := onDisk(t, filepath.Join(dir, "kept"), func(path string, o bolt.Options) (*bolt.Store, error) {
			o.ReadOnly = true
			return bolt.Open(path, o)
		})
		require.NoError(t, err)
		for i := range 3 { // also of the one that it knows: claiming writes
			kind, err := d.send(t, i)
			require.Equal(t, engine.KindRefused, kind)
			require.ErrorIs(t, err, bolt.ErrReadOnly)
		}
		fmt.Println("refused")
		return
	}
	dir := t.TempDir()
	for _, folder := range []string{"empty", "kept"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o755))
	}
	d, err := onDisk(t, filepath.Join(dir, "kept"), bolt.Create)
	require.NoError(t, err)
	_, err = d.send(t, 0)
	require.NoError(t, err)
	require.NoError(t, d.store.Close())
	require.NoError(t, os.Chmod(d.path, 0o444))
	for _, folder := range []string{"empty", "kept"} {
		require.NoError(t, os.Chmod(filepath.Join(dir, folder), 0o555))
	}
	for parent := dir; parent != os.TempDir() && parent != "/"; parent = filepath.Dir(parent) {
		require.NoError(t, os.Chmod(parent, 0o755))
	}
	out, err := alone(t, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "refused\n")
}

// TestDiskLocked: another process has the file open.
func TestDiskLocked(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(diskEnv); dir != "" {
		d, err := onDisk(t, dir, bolt.Open)
		require.NoError(t, err)
		kind, err := d.send(t, 0)
		require.NoError(t, err)
		require.Equal(t, engine.KindIntent, kind)
		fmt.Println("open")
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		return
	}
	dir := t.TempDir()
	s, err := bolt.Create(filepath.Join(dir, "store"), bolt.Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	cmd := alone(t, dir)
	_, err = cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "open\n", line)
	_, err = onDisk(t, dir, bolt.Open)
	require.ErrorIs(t, err, bolt.ErrLocked, "there is no second agent beside the first")
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.NoError(t, again(t, dir, 1), "it has been executed by the one that was killed")
}

// TestDiskGone: the file is removed or replaced while the agent runs.
func TestDiskGone(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(path string) error{
		"removed": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".bak") },
		"replaced by a store": func(path string) error {
			s, err := bolt.Create(path+".new", bolt.Options{})
			if err == nil {
				err = s.Close()
			}
			if err == nil {
				err = os.Rename(path+".new", path)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			d, err := onDisk(t, dir, bolt.Create)
			require.NoError(t, err)
			kind, err := d.send(t, 0)
			require.NoError(t, err)
			require.Equal(t, engine.KindIntent, kind)
			pending, err := d.Receive(t.Context(), aliceToBob, diskIntent(t, 1)) // in somebody's hands
			require.NoError(t, err)
			require.NoError(t, take(d.path))
			for range 2 {
				for i := range 4 { // also of those that it knows: it trusts nothing any more
					kind, err := d.send(t, i)
					if kind == engine.KindDuplicate && i < 2 { // before it has noticed
						continue
					}
					require.Equal(t, engine.KindRefused, kind)
					require.ErrorIs(t, err, bolt.ErrGone)
				}
			}
			m, err := d.Respond(t.Context(), pending.Intent, engine.Answer{Text: "done"})
			require.ErrorIs(t, err, bolt.ErrGone)
			require.NotEmpty(t, m.ID, "what was done is told")
			_, err = d.Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: "ctx"}, "please")
			require.Error(t, err, "whether prose is forbidden is not known")
			require.Len(t, d.once(t), 1)
		})
	}
}

// diskSpans is how many spans of the file are overwritten: more where spansEnv says so.
func diskSpans(t *testing.T) int {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv(spansEnv)); err == nil {
		return n
	}
	return 24
}

const spansEnv = "RDFPROTO_ENGINE_SPANS"

// TestDiskDamaged: the file changes under the agent. With the pages of a file cleared,
// overwritten and cut off, each message is known or refused, by the agent that runs and by
// the next one, if there can be one.
func TestDiskDamaged(t *testing.T) {
	t.Parallel()
	const kept, more, page = 24, 4, 4096
	template := t.TempDir()
	d, err := onDisk(t, template, bolt.Create)
	require.NoError(t, err)
	for i := range kept {
		kind, err := d.send(t, i)
		require.NoError(t, err)
		require.Equal(t, engine.KindIntent, kind)
	}
	require.NoError(t, d.store.Close())
	data, err := os.ReadFile(d.path)
	require.NoError(t, err)
	log, err := os.ReadFile(d.log)
	require.NoError(t, err)

	refused, known, executed, unopened := 0, 0, 0, 0
	damage := func(name string, do func(f *os.File) error) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "store"), data, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "log"), log, 0o600))
		d, err := onDisk(t, dir, bolt.Open)
		require.NoError(t, err)
		f, err := os.OpenFile(d.path, os.O_RDWR, 0)
		require.NoError(t, err)
		require.NoError(t, do(f), name)
		require.NoError(t, f.Close())
		for i := range kept + more {
			switch kind, _ := d.send(t, i); kind {
			case engine.KindRefused:
				refused++
			case engine.KindIntent:
				require.GreaterOrEqual(t, i, kept, "%s: message %d is executed again", name, i)
				executed++
			default:
				known++
			}
		}
		_ = d.store.Close() // which may be unable to let go of the file: a copy is what another process finds
		left, err := os.ReadFile(d.path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(d.path+".new", left, 0o600))
		require.NoError(t, os.Rename(d.path+".new", d.path))
		if err := again(t, dir, kept+more); err != nil {
			require.ErrorIs(t, err, replay.ErrCorrupt, name)
			unopened++
		}
	}
	noise := bytes.Repeat([]byte("noise on the disk "), page)
	for p := 0; p < len(data); p += page {
		at := " page " + strconv.Itoa(p/page)
		damage("cleared"+at, func(f *os.File) error { _, err := f.WriteAt(make([]byte, page), int64(p)); return err })
		damage("overwritten"+at, func(f *os.File) error { _, err := f.WriteAt(noise[:page], int64(p)); return err })
		damage("half of"+at, func(f *os.File) error { _, err := f.WriteAt(noise[:page/2], int64(p+page/2)); return err })
		damage("cut at"+at, func(f *os.File) error { return f.Truncate(int64(p)) })
	}
	random := rand.New(rand.NewPCG(12, 2))
	for range diskSpans(t) {
		at, n := random.IntN(len(data)), 1<<random.IntN(13)
		n = min(n, len(data)-at)
		fill := byte(random.IntN(3)) * 0x7f
		damage(fmt.Sprintf("%d bytes of %x at %d", n, fill, at), func(f *os.File) error {
			_, err := f.WriteAt(bytes.Repeat([]byte{fill}, n), int64(at))
			return err
		})
	}
	t.Logf("%d bytes: known %d, executed first %d, refused %d; could not be opened again %d times", len(data), known, executed, refused, unopened)
	require.NotZero(t, refused)
	require.NotZero(t, unopened)
}
