package service_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/owg"
)

// The workflows of three organizations: a studio hands its season to a production
// company, which hands the dubbing to a vendor, where a person mixes.
const (
	studioSeason = `{"id":"studio-season","objective":"Deliver the season",
 "participants":[
  {"id":"exec","kind":"human","works_for":"org_studio","identity":{"id":"urn:studio:exec","credential_scope":["read:masters","write:deliverables"]}},
  {"id":"prodco_agent","kind":"agent","works_for":"org_prodco","agent_card":"https://agents.prodco.example/.well-known/agent-card.json"}],
 "tasks":[
  {"id":"season","executor":{"type":"a2a","ref":"season-work"},"performed_by":"prodco_agent","delegation":{"by":"exec","scope":["read:masters"]},"used":["masters"],"produced":["season_package"]}]}`
	prodcoSeason = `{"id":"season-work","objective":"Produce a season",
 "participants":[
  {"id":"exec","kind":"human","works_for":"org_studio","identity":{"id":"urn:studio:exec"}},
  {"id":"prodco_agent","kind":"agent","works_for":"org_prodco"},
  {"id":"vendor_agent","kind":"agent","works_for":"org_vendor","agent_card":"https://agents.vendor.example/.well-known/agent-card.json"}],
 "tasks":[
  {"id":"intake","executor":{"type":"form"},"performed_by":"prodco_agent","delegation":{"by":"exec","scope":["read:masters"]},"produced":["brief"]},
  {"id":"dub","executor":{"type":"a2a","ref":"localize-dub"},"performed_by":"vendor_agent","delegation":{"by":"prodco_agent","scope":["read:masters"]},"used":["brief"],"produced":["dub_ep1"]}]}`
	vendorDub = `{"id":"localize-dub","objective":"Dub an episode",
 "participants":[
  {"id":"mixer","kind":"human","works_for":"org_vendor"},
  {"id":"vendor_agent","kind":"agent","works_for":"org_vendor"},
  {"id":"prodco_agent","kind":"agent","works_for":"org_prodco","identity":{"id":"urn:prodco:agent"}}],
 "tasks":[
  {"id":"take","executor":{"type":"form"},"performed_by":"vendor_agent","delegation":{"by":"prodco_agent","scope":["read:masters"]},"used":["masters"],"produced":["dub_ep1"]}]}`
)

// receives is an agent that records what it is handed, and does the rest only for what
// it accepts.
func receives(w *owg.Workflow, record, caller string, then events) events {
	return func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		data, err := json.Marshal(ec.Message)
		if err != nil {
			yield(nil, err)
			return
		}
		h, err := owg.ParseHandOff(data, "", owg.Limits{})
		if err != nil {
			yield(nil, err)
			return
		}
		r, err := w.Receive(owg.Inbound{HandOff: h, Caller: caller, TaskID: string(ec.TaskID), ContextID: ec.ContextID, Now: time.Now()})
		if err != nil {
			yield(nil, err)
			return
		}
		before, err := os.ReadFile(record)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			yield(nil, err)
			return
		}
		after, err := owg.AppendReceived(before, w, r.Received, owg.Limits{})
		if err == nil {
			err = os.WriteFile(record, after, 0o600)
		}
		switch {
		case err != nil:
			yield(nil, err)
		case !r.Accepted():
			ends(sdk.TaskStateRejected, string(r.Code))(ctx, ec, yield)
		default:
			then(ctx, ec, yield)
		}
	}
}

// TestOwgChain: what comes out at the end traces back to the person who began it, over
// the records of all, and no hop hands on more than it has.
func TestOwgChain(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name           string
		studio, prodco []string // what is replaced in their workflows
		status         cli.Status
		code           string // on the studio's side
		rejected       string // what the production company's hand-off came to
		messages       [2]int // that the production company and the vendor got
	}{
		{"handed on", nil, nil, cli.StatusYes, "", "", [2]int{1, 1}},
		{"the studio hands on more than it has", []string{`"by":"exec","scope":["read:masters"]`, `"by":"exec","scope":["delete:masters"]`}, nil,
			cli.StatusNo, "OWG_DELEGATION_WIDENS", "", [2]int{0, 0}},
		{"the production company hands on more than it received", nil, []string{`"scope":["read:masters"]`, `"scope":["read:masters","write:deliverables"]`},
			cli.StatusNo, "A2A_TASK_FAILED", "OWG_DELEGATION_CHAIN_WIDENS", [2]int{1, 0}},
		{"for longer than it received it", []string{`"by":"exec","scope":["read:masters"]`, `"by":"exec","scope":["read:masters"],"expires_at":"2100-01-01T00:00:00Z"`}, nil,
			cli.StatusNo, "A2A_TASK_FAILED", "OWG_DELEGATION_OUTLIVES", [2]int{1, 0}},
		{"what has lapsed", []string{`"by":"exec","scope":["read:masters"]`, `"by":"exec","scope":["read:masters"],"expires_at":"2001-01-01T00:00:00Z"`}, nil,
			cli.StatusNo, "OWG_DELEGATION_EXPIRED", "", [2]int{0, 0}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			ways(t, func(t *testing.T, rest, streaming bool) {
				dir := t.TempDir()
				record := func(who string) string { return filepath.Join(dir, who+"-run.json") }
				workflow := func(who, text string, replace []string) (string, *owg.Workflow) {
					text = strings.NewReplacer(replace...).Replace(text)
					w, err := owg.Parse([]byte(text), owg.Limits{})
					require.NoError(t, err)
					return write(t, dir, who+".json", text, 0o600), w
				}
				studio, _ := workflow("studio", studioSeason, row.studio)
				prodco, prodcoWorkflow := workflow("prodco", prodcoSeason, row.prodco)
				_, vendorWorkflow := workflow("vendor", vendorDub, nil)

				vendor := hire(t, &worker{work: receives(vendorWorkflow, record("vendor"), "urn:prodco:agent", ends(sdk.TaskStateCompleted, "", "dub_ep1"))}, rest, streaming)
				onward := make(chan *ran, 1)
				company := hire(t, &worker{work: receives(prodcoWorkflow, record("prodco"), "urn:studio:exec", func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
					if !yield(sdk.NewSubmittedTask(ec, ec.Message), nil) || !yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateWorking, nil), nil) {
						return
					}
					r := owgRunIn(t, ctx, time.Now, "--record", record("prodco"), "--card", vendor.url, prodco, "dub")
					onward <- r
					stored := &sdksrv.ExecutorContext{TaskID: ec.TaskID, ContextID: ec.ContextID, StoredTask: &sdk.Task{}}
					if r.status != cli.StatusYes {
						ends(sdk.TaskStateFailed, "the dubbing was not to be had")(ctx, stored, yield)
						return
					}
					ends(sdk.TaskStateCompleted, "", "season_package")(ctx, stored, yield)
				})}, rest, streaming)

				r := owgRun(t, "--record", record("studio"), "--card", company.url, studio, "season")
				require.Equal(t, row.status, r.status, r.stderr)
				if row.code != "" {
					require.Contains(t, r.stderr, "["+row.code+"]")
				}
				require.Equal(t, row.messages, [2]int{company.messages(), vendor.messages()})
				if row.rejected != "" {
					sent := <-onward
					require.Equal(t, cli.StatusNo, sent.status, sent.stderr)
					require.Contains(t, sent.stderr, "["+row.rejected+"]")
					require.Empty(t, recorded(t, record("prodco")).Attempts)
				}
				if row.status != cli.StatusYes {
					return
				}
				require.Equal(t, cli.StatusYes, (<-onward).status)

				// From the vendor's workflow and the three records, back to the person.
				var records []*owg.Record
				for _, who := range []string{"studio", "prodco", "vendor"} {
					records = append(records, recorded(t, record(who)))
				}
				trace, err := vendorWorkflow.Trace("dub_ep1", records...)
				require.NoError(t, err)
				require.True(t, trace.Complete(), "%s %v", trace.Text(), trace.Findings)
				require.Equal(t, "dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> delegated by exec (a person, org_studio)", trace.Text())
				for i := range 2 { // what one sent is what the next received
					require.Equal(t, records[i].Attempts[0].Remote.TaskID, records[i+1].Received[0].TaskID)
				}
				// Without the studio's and the company's records it ends at the company.
				trace, err = vendorWorkflow.Trace("dub_ep1", records[2])
				require.NoError(t, err)
				require.False(t, trace.Complete())
			})
		})
	}
}

// TestOwgCards: a card that is signed, one that is not, and one that somebody else
// signed, under each policy.
func TestOwgCards(t *testing.T) {
	t.Parallel()
	key := func(kid string) (*agentcard.PrivateKey, string) {
		k, err := agentcard.GenerateKey(agentcard.EdDSA, kid, rand.Reader)
		require.NoError(t, err)
		set, err := k.KeySet()
		require.NoError(t, err)
		return k, write(t, t.TempDir(), "jwks.json", string(set), 0o600)
	}
	ours, jwks := key("k1")
	theirs, _ := key("k1")
	signed := func(k *agentcard.PrivateKey) func([]byte) []byte {
		return func(card []byte) []byte {
			c, err := agentcard.Parse(card, agentcard.Limits{})
			if err != nil {
				return nil
			}
			out, _ := agentcard.Sign(c, k, agentcard.SignOptions{})
			return out
		}
	}
	changed := func(card []byte) []byte {
		return []byte(strings.Replace(string(signed(ours)(card)), "Works.", "Works!", 1))
	}
	for _, row := range []struct {
		name     string
		card     func([]byte) []byte
		outcomes [3]string // require, prefer, ignore; "" for a refusal
	}{
		{"signed", signed(ours), [3]string{"verified", "verified", "verified"}},
		{"unsigned", func(card []byte) []byte { return card }, [3]string{"", "not verified", "not verified"}},
		{"signed by another", signed(theirs), [3]string{"", "", "not verified"}},
		{"changed", changed, [3]string{"", "", "not verified"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			agent := hire(t, &worker{work: ends(sdk.TaskStateCompleted, "", "dub_ep1")}, false, false, row.card)
			sent := 0
			for i, policy := range []string{"require", "prefer", "ignore"} {
				record := filepath.Join(t.TempDir(), "run.json")
				r := owgRun(t, "--card-policy", policy, "--jwks", jwks, "--record", record, "--card", agent.url, season(t), "dub")
				if row.outcomes[i] == "" {
					require.Equal(t, cli.StatusNo, r.status, r.stderr)
					require.Contains(t, r.stderr, "[OWG_A2A_CARD_UNVERIFIED]")
					require.NoFileExists(t, record)
					continue
				}
				sent++
				require.Equal(t, cli.StatusYes, r.status, r.stderr)
				require.Equal(t, row.outcomes[i], recorded(t, record).Attempts[0].Card.Outcome)
			}
			require.Equal(t, sent, agent.messages())
		})
	}
	for _, args := range [][]string{{"--jwks", jwks + "x"}, {"--trust", jwks}, {"--jwks", season(t)}} {
		r := owgRun(t, append(args, "--card", season(t), season(t), "dub")...)
		require.Equal(t, cli.StatusCall, r.status, r.stderr)
	}
}
