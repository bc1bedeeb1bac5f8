package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/owg"
)

// How a task is handed over.
const (
	asAuto   = "auto"
	asIntent = "intent"
	asPlain  = "plain"
)

// handOver is a call of the command owg run.
type handOver struct {
	streams    cli.Streams
	now        func() time.Time
	file, task string

	card, cardPolicy, jwks, trust string
	online                        bool

	record, under, received            string
	inputs, delegationKey, answer      string
	contextID                          string
	disclose, abandon                  bool
	as                                 string
	presentation, key, holder, profile string
	credentials, domains               []string
	tokenFile                          string
	insecurePlaintext, poll, asJSON    bool
	again                              bool
	time, interval                     time.Duration

	demand agentcard.Demand // of cardPolicy
	proofs vc.Profile       // of profile

	chain chain
	run   *following
}

func owgCommand(s cli.Streams) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "owg COMMAND",
		Short: "hand tasks of workflows to other parties' agents",
		Long: `Hands tasks of a workflow (Open Workflow Graph) over A2A to agents of other
organizations. What needs no agent is in rdfproto owg.`,
		Example: "  rdfprotod owg run --record run.json season.json dub",
	}, owgRunCommand(s, time.Now))
}

func owgRunCommand(s cli.Streams, now func() time.Time) *cobra.Command {
	v := &handOver{streams: s, now: now}
	cmd := &cobra.Command{
		Use:   "run FILE TASK",
		Short: "hand a task to the agent that performs it, and follow it",
		Long: `Hands a task of a workflow to the agent that performs it, follows it to its end
and prints the attempt. Nothing is sent if the workflow has errors, if the
delegation has lapsed or is wider than what was received, or if the card does
not meet --card-policy.

With --record the attempt is in the run record before the task is sent, and at
every change: called again, this command goes on with the same remote task, and
once that has succeeded it prints the attempt and sends nothing. After an
attempt that failed the next call begins another, after one that succeeded only
--again does. Where nobody can know whether the agent got the task, nothing is
done until --abandon ends the attempt.

Where the agent's card declares a2a-rdf, the task goes as an intent under the
Protocol Document for performing a task; with --key and --credential, or with
--presentation, a chain of credentials goes along. An agent that declares
a2a-rdf but not that document is offered it, and gets plain A2A if it declines,
unless --as intent allows nothing else.

An agent that asks for input gets the --answer, or the command ends (exit status
4) and can be called again with one; while one call with an answer runs, others
end at once. On an interrupt the agent is asked to cancel. Once the delegation
has lapsed, the task is asked about and canceled, and nothing else is sent.

Exit status: 0 succeeded, or given up as asked; 1 failed, rejected or canceled,
or must not be handed over; 2 the agent could not be reached; 3 refused; 4 it is
not over.`,
		Example: `  rdfprotod owg run --record run.json season.json dub
  rdfprotod owg run --record run.json --answer answer.txt season.json dub
  rdfprotod owg run --as intent --key key.jwk --credential mandate.json \
      --record run.json season.json dub`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return cli.UsageError(cmd, "a FILE is missing")
			case 1:
				return cli.UsageError(cmd, "a TASK is missing")
			}
			return cli.Arguments(2, 2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			v.file, v.task = args[0], args[1]
			if err := v.check(cmd); err != nil {
				return err
			}
			outlivePipes() // else the answer to what was handed over may be lost
			return v.execute(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&v.record, "record", "", "keep the attempt in the run record in this `FILE`, and go on with one that runs")
	f.StringVar(&v.card, "card", "", "the performer's `CARD`: a file, an https URL, domain:NAME; by default where the workflow says")
	f.StringVar(&v.cardPolicy, "card-policy", "prefer", "`POLICY` for the card's signatures: require a valid one, prefer (an invalid one refuses, none warns), ignore")
	f.StringVar(&v.jwks, "jwks", "", "a `FILE` of keys that may prove the card, a JWK Set")
	f.StringVar(&v.trust, "trust", "", "a `FILE` with a trust store for cards")
	f.BoolVar(&v.online, "online", false, "fetch keys of cards from where the trust store allows it")
	f.StringVar(&v.under, "under", "", "hand on no more than the workflow received, by the run record in this `FILE`; that of --record by default")
	f.StringVar(&v.received, "received", "", "the remote task `ID` of the hand-off that it received, where the record has several")
	f.StringVar(&v.inputs, "inputs", "", "the inputs, a JSON object in this `FILE`, instead of those of the task")
	f.StringVar(&v.answer, "answer", "", "what to answer when the agent asks for input: the text in this `FILE`, or the JSON in a FILE.json")
	f.BoolVar(&v.abandon, "abandon", false, "end the running attempt as failed, without asking the agent")
	f.BoolVar(&v.again, "again", false, "begin another attempt after one that succeeded")
	f.StringVar(&v.as, "as", asAuto, "the `WAY` to hand over: as an intent of a2a-rdf, as plain A2A, or auto, as the agent allows")
	f.StringVar(&v.presentation, "presentation", "", "the `FILE` of a presentation to send with the intent, made for a challenge of the agent")
	f.StringVar(&v.key, "key", "", "make a presentation for the agent's challenge with the private key, a JWK, in this `FILE`")
	f.StringArrayVar(&v.credentials, "credential", nil, "a `FILE` with a credential of the chain, from its root on (repeatable)")
	f.StringVar(&v.holder, "holder", "", "the holder's `IRI`; by default the did:key of the key")
	f.StringVar(&v.profile, "profile", "auto", "the `PROFILE` of proofs: w3c, svc or auto")
	f.StringArrayVar(&v.domains, "domain", nil, "a `URL` that the agent may ask presentations for, beside those of its own origin (repeatable)")
	f.StringVar(&v.contextID, "context-id", "", "begin in the A2A context with an `ID`")
	f.StringVar(&v.delegationKey, "delegation-key", owg.DelegationKey, "the metadata `KEY` of the delegation")
	f.BoolVar(&v.disclose, "disclose-identity", false, "send the identity of the delegator")
	f.StringVar(&v.tokenFile, "token-file", "", "a `FILE` of mode 0600 with a bearer token for the agent")
	f.BoolVar(&v.poll, "poll", false, "ask for the task's state instead of following its events")
	f.DurationVar(&v.interval, "interval", 5*time.Second, "the longest `TIME` between two questions")
	f.DurationVar(&v.time, "time-limit", time.Hour, "the `TIME` to follow the task for; afterwards it still runs")
	f.BoolVar(&v.insecurePlaintext, "insecure-plaintext", false, "allow an agent without TLS, and its card from http on loopback")
	f.BoolVar(&v.asJSON, "json", false, "print the verdict as JSON, with the attempt and what was found")
	cmd.MarkFlagsMutuallyExclusive("presentation", "key")
	cli.CompleteFlag(cmd, "card-policy", "require", "prefer", "ignore")
	cli.CompleteFlag(cmd, "as", asAuto, asIntent, asPlain)
	cli.CompleteFlag(cmd, "profile", "auto", "w3c", "svc")
	return cmd
}

func (v *handOver) check(cmd *cobra.Command) error {
	var err error
	if v.demand, err = cli.CardDemand(cmd, v.cardPolicy); err != nil {
		return err
	}
	var known bool
	v.proofs, known = vc.ProfileByName(v.profile)
	chain := v.presentation != "" || v.key != ""
	switch {
	case v.as != asAuto && v.as != asIntent && v.as != asPlain:
		return cli.UsageError(cmd, "--as: expected auto, intent or plain, found "+cli.Quote(v.as))
	case !known:
		return cli.UsageError(cmd, "--profile: expected auto, w3c or svc, found "+cli.Quote(v.profile))
	case chain && v.as == asPlain:
		return cli.UsageError(cmd, "a chain of credentials goes with an intent, not with --as plain")
	case (v.key != "") != (len(v.credentials) > 0):
		return cli.UsageError(cmd, "--key and --credential go together")
	case v.holder != "" && v.key == "":
		return cli.UsageError(cmd, "--holder goes with --key")
	case (v.abandon || v.answer != "") && v.record == "":
		return cli.UsageError(cmd, "--abandon and --answer need --record, which says what to go on with")
	case v.again && v.record == "":
		return cli.UsageError(cmd, "--again needs --record, which says what has succeeded")
	case v.abandon && v.again:
		return cli.UsageError(cmd, "--abandon does not go with --again")
	case v.abandon && v.answer != "":
		return cli.UsageError(cmd, "--abandon does not go with --answer")
	case v.received != "" && v.under == "" && v.record == "":
		return cli.UsageError(cmd, "--received goes with --under or --record")
	case v.time <= 0 || v.interval <= 0:
		return cli.UsageError(cmd, "--time-limit and --interval: expected a positive time")
	}
	return nil
}

// execute begins an attempt, or goes on with the one that runs.
func (v *handOver) execute(ctx context.Context) error {
	data, err := v.read(v.file, owg.DefaultLimits().WorkflowBytes)
	if err != nil {
		return err
	}
	w, err := owg.Parse(data, owg.Limits{})
	if err != nil {
		return cli.InFile(v.file, err)
	}
	t, ok := w.Task(v.task)
	if !ok {
		_, err := w.Attempt(v.task, 1, v.now())
		return cli.InFile(v.file, err)
	}
	v.run = &following{close: func() error { return nil }, streams: v.streams, now: v.now, task: t, poll: v.poll, interval: v.interval}
	if v.run.journal, err = openJournal(v.record, w); err != nil {
		return err
	}
	if v.answer != "" {
		if v.run.answer, err = v.readAnswer(); err != nil {
			return err
		}
		release, err := v.run.journal.claimAnswer(t.ID)
		if err != nil {
			return err
		}
		defer release()
	}
	last, err := v.run.journal.last(t.ID)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, v.time)
	defer cancel()
	switch {
	case v.abandon && (last == nil || last.Terminal()):
		return cli.Fail(cli.StatusNothing, string(CommandNoAttempt), "no attempt at the task runs")
	case v.abandon:
		v.run.follow = owg.NewFollow(*last, t.Produced, owg.Limits{})
		v.run.givenUp = true
		v.run.found(v.run.follow.End(owg.CodeTransport, "given up: nothing more is known of it", v.now()))
		err = v.run.keep()
	case last == nil, last.Status == owg.StatusFailed, v.again && last.Terminal():
		err = v.begin(limited, w)
	case last.Terminal():
		v.run.follow = owg.NewFollow(*last, t.Produced, owg.Limits{})
		v.run.note(fmt.Sprintf("attempt %d has succeeded, and the task is not handed over again; --again begins another", last.Number))
	default:
		err = v.resume(limited, w, *last)
	}
	v.run.late = limited.Err() != nil && ctx.Err() == nil
	if v.run.follow != nil { // else nothing was begun
		err = v.report(ctx, err) // which may have to ask for the cancellation
	}
	return errors.Join(err, v.run.close())
}

// read reads a file that a call names, "-" for standard input.
func (v *handOver) read(file string, most int64) ([]byte, error) {
	if file == "-" {
		return readAtMost(v.streams.In, "<stdin>", most)
	}
	return readFile(file, most)
}

// isJSONFile reports whether a file holds JSON, by its name.
func isJSONFile(file string) bool { return strings.HasSuffix(strings.ToLower(file), ".json") }
