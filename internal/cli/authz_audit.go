package cli

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
)

// keep writes the record of a decision. What is not written was not decided.
func (f *authzFlags) keep(cmd *cobra.Command, r authz.Record) error {
	text, err := r.JSON()
	if err != nil {
		return err
	}
	if f.sign != "" {
		in := &vcInput{input: f.in}
		key, err := in.privateKey(cmd, f.sign)
		if err != nil {
			return err
		}
		if text, err = r.Sign(cmd.Context(), key, vc.SignOptions{Method: f.method, Created: time.Now(), Rand: rand.Reader}); err != nil {
			return usageError(cmd, "--sign: "+err.Error())
		}
	}
	text = append(visible(text), '\n')
	if f.record == "-" {
		_, err := f.in.app.out.Write(text)
		return err
	}
	return f.in.writeRecord(cmd.Context(), f.record, text, fixedBytes, func(old []byte) error {
		_, _, err := authz.ParseRecord(old)
		return err
	})
}

// audit is a call of authz audit.
type audit struct {
	*authzFlags

	input, by, signedAt string
	asJSON              bool
}

func (a *app) authzAuditCommand() *cobra.Command {
	var x audit
	cmd := &cobra.Command{
		Use:   "audit --input INPUT RECORD",
		Short: "make the decision of a record again and compare",
		Long: `Makes the decision of RECORD again, from INPUT as authz check reads it, and
compares the two records: every member must be the same but for the software,
which is said where it is another. The instant is that of the record, unless
INPUT or --at says another. The flags are those of authz check, and must be
those that the record was made with; what the record says of its settings is
compared too. Keys, status lists and documents must be those of that time: a key
counts at the instant of the decision, so that one which was revoked later
changes nothing.

A record of a presentation needs that --presentation; its challenge and domain
are those of the record. The record has the hash of its intent, with which that
of --intent is compared.

A signed record must be signed by --by, whose keys are those of --keys or of a
did:key identifier; with --by, an unsigned one is refused. The signature is
judged as of now: whoever stole a key that was revoked since could have signed
anything with it. When a log or a time stamp shows that the record existed
before, --signed-at says since when, and the key is judged as of then. Neither
that time nor that of a proof may be over five minutes before the decision.

Exit status: 0 the same, 1 different or not signed as it must be, 3 RECORD or
INPUT was refused.`,
		Example: `  rdfproto authz audit --input input.json record.json
  rdfproto authz audit --keys keys --by https://b.example/#me --input input.json record.json
  rdfproto authz audit --json --input input.json record.json
  rdfproto authz audit --presentation chain.vp.json --input policies.json presented.json`,
		Args: files(1, 1),
	}
	x.authzFlags = a.addAuthzFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&x.input, "input", "", "the `FILE` that the decision was made from")
	f.StringVar(&x.by, "by", "", "the `IRI` of the party that must have signed the record")
	f.StringVar(&x.signedAt, "signed-at", "", "the `TIME`, as in RFC 3339, at which the signed record is known to have existed; by default now")
	f.StringVar(&x.intent, "intent", "", "the `FILE` of the intent that the record is of")
	f.BoolVar(&x.asJSON, "json", false, "print the differences as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		signature, err := x.check(cmd)
		if err != nil {
			return err
		}
		data, err := x.in.bytes(cmd.Context(), args[0], fixedBytes)
		if err != nil {
			return err
		}
		record, signed, err := authz.ParseRecord(data)
		if err != nil {
			return besideError(args[0], err)
		}
		if err := x.fits(cmd, &record, signed); err != nil {
			return err
		}
		o := auditOutcome{file: display(args[0])}
		if x.by != "" {
			if err := x.verify(cmd, data, signature, &o); err != nil {
				return err
			}
		}
		if o.code == "" {
			if err := x.again(cmd, &record, &o); err != nil {
				return err
			}
		}
		return a.auditReport(&o, x.asJSON)
	}
	return cmd
}

// check reads the flags and returns the instant at which the key of a signature counts.
func (x *audit) check(cmd *cobra.Command) (time.Time, error) {
	switch {
	case x.input == "":
		return time.Time{}, usageError(cmd, "--input is missing")
	case x.signedAt != "" && x.by == "":
		return time.Time{}, usageError(cmd, "--signed-at goes with --by")
	case x.signedAt != "":
		return parseInstant(cmd, "--signed-at", x.signedAt)
	}
	return time.Now(), nil
}

// fits fails for flags that do not go with the record.
func (x *audit) fits(cmd *cobra.Command, record *authz.Record, signed bool) error {
	switch {
	case signed && x.by == "":
		return usageError(cmd, "the record is signed: --by says who must have signed it")
	case record.Presentation != nil && x.presentation == "":
		return usageError(cmd, "the record is of a presentation: --presentation is missing")
	case record.Presentation == nil && x.presentation != "":
		return usageError(cmd, "the record is of no presentation")
	}
	return nil
}

// verify verifies the signature of the record.
func (x *audit) verify(cmd *cobra.Command, record []byte, at time.Time, o *auditOutcome) error {
	keys, err := x.in.resolver(cmd.Context(), x.keys)
	if err != nil {
		return err
	}
	report, err := authz.VerifyRecord(cmd.Context(), keys, record, x.by, at)
	if err != nil {
		return usageError(cmd, "--by: "+err.Error())
	}
	if report.Verified() {
		o.by = x.by
	} else {
		o.findings, o.code = report.Findings(), report.Code()
	}
	return nil
}

// again makes the decision again and compares it.
func (x *audit) again(cmd *cobra.Command, record *authz.Record, o *auditOutcome) error {
	d, _, err := x.decide(cmd, x.input, record)
	if err != nil {
		return err
	}
	diag := x.in.app.diag
	if record.Intent != "" && x.intent == "" {
		diag.hint("the record is of the intent " + record.Intent + ", which --intent compares")
	}
	if engine := x.in.app.engine(); record.Engine != engine {
		o.engine = &record.Engine
		diag.hint(fmt.Sprintf("the record is by %s, this is %s", quote(record.Engine), engine))
	}
	if o.differ, err = record.Differences(d.Record()); err != nil {
		return err
	}
	o.decision = record.Decision
	o.digest, err = record.IRI()
	return err
}

// auditOutcome is what an audit came to.
type auditOutcome struct {
	file, by, digest, decision string
	engine                     *string // of the record, where it is another
	code                       vc.Code
	findings                   []vc.Finding
	differ                     []authz.Difference
}

func (o *auditOutcome) verdict() verdict {
	switch {
	case o.code != "":
		return verdict{Status: StatusNo, Code: string(o.code), Message: "the record is not signed as it must be: " + o.findings[0].Text}
	case len(o.differ) > 0:
		return verdict{Status: StatusNo, Code: "RECORD_DIFFERS", Message: "the decision made again differs in " + count(len(o.differ), "member")}
	}
	return verdict{Status: StatusYes, Message: "the decision made again is the same: " + o.decision}
}

func (a *app) auditReport(o *auditOutcome, asJSON bool) error {
	v := o.verdict()
	if asJSON {
		more, err := marshal(struct {
			Record      string             `json:"record,omitempty"`
			SignedBy    string             `json:"signedBy,omitempty"`
			Engine      *string            `json:"engine,omitempty"`
			Differences []authz.Difference `json:"differences"`
			Findings    []vc.Finding       `json:"findings,omitempty"`
		}{o.digest, o.by, o.engine, append([]authz.Difference{}, o.differ...), o.findings})
		if err != nil {
			return err
		}
		return a.json(v, more)
	}
	fmt.Fprintf(a.out, "%s: ", printable(o.file))
	a.verdictLine(v)
	if o.by != "" {
		fmt.Fprintf(a.out, "  signed by <%s>\n", printable(o.by))
	}
	if o.digest != "" {
		fmt.Fprintf(a.out, "  record <%s>\n", o.digest)
	}
	later := 0
	for _, d := range o.differ {
		// Where one check is other, all behind it are: the first says where it began.
		if check := strings.HasPrefix(d.Pointer, "/checks/"); check && later > 0 {
			later++
			continue
		} else if check {
			later = 1
		}
		fmt.Fprintf(a.out, "  %s: recorded %s, now %s\n", printable(d.Pointer), orNothing(d.Here), orNothing(d.There))
	}
	if later > 1 {
		fmt.Fprintf(a.out, "  and %s of /checks behind it\n", count(later-1, "member"))
	}
	return ended(v.Status)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return printable(text)
}
