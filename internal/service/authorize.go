package service

import (
	"context"
	"errors"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
)

// authorizeRequest is the body of /v1/authorize: the INPUT of the command "authz
// check", with the files that it names.
type authorizeRequest struct {
	input        strictjson.Value
	files        map[string]string
	presentation string
	challenge    string
	domain       string
	explain      bool

	left int // how many bytes of files may still be read
}

func (q *authorizeRequest) fields() []field {
	return []field{
		{"input", true, keep(&q.input)},
		{"files", false, textMap(&q.files)},
		{"presentation", false, filled(&q.presentation)},
		{"challenge", false, filled(&q.challenge)},
		{"domain", false, filled(&q.domain)},
		{"explain", false, flag(&q.explain)},
	}
}

// open returns the text of a file of the request.
func (q *authorizeRequest) open(name string) ([]byte, error) {
	s, ok := q.files[name]
	if !ok {
		return nil, malformed("files: expected the member %s, which input names", quote(name))
	}
	// A file may be named more than once, and is read each time: together they are no
	// more than a request may be.
	if q.left -= len(s); q.left < 0 {
		return nil, &requestError{CodeLimitExceeded, "the files that input names, each as often as it is named, exceed the limit of " + number(maxAuthorize) + " bytes"}
	}
	return []byte(s), nil
}

// authorize decides whether a chain authorizes a request, at the time of the service.
func (s *Server) authorize(ctx context.Context, r *request) answer {
	v, err := r.json()
	if err != nil {
		return refusal(err)
	}
	q := authorizeRequest{left: maxAuthorize}
	if err := readFields(v, q.fields()...); err != nil {
		return refusal(err)
	}
	switch {
	case q.input.Get("now").Exists():
		return refusal(malformed("now: the time is that of the service"))
	case q.input.Get("actor").Exists() && !r.caller.authenticated():
		return refuse(CodePeerUnauthenticated, "who acts is only taken from a caller that is authenticated")
	case (q.presentation == "") != (q.challenge == "") || (q.challenge == "") != (q.domain == ""):
		return refusal(malformed("a presentation, its challenge and its domain go together"))
	}
	in, err := vectors.ReadAuthority(q.input, q.open)
	if err != nil {
		var own *requestError
		if d := cli.Diagnose(err); !errors.As(err, &own) && d[0].Status != cli.StatusRefused {
			err = malformed("input: %s", err) // all that it fails with is about the input
		}
		return refusal(err)
	}
	in.Request.Now, in.Request.Explain = s.now(), q.explain
	config := s.judge.authority
	if config.Verifier == nil {
		return refuse(CodeNotConfigured, "nothing is configured that could verify credentials")
	}
	config.MaxPolicies = in.MaxPolicies
	config.RequireDuties = config.RequireDuties || in.RequireDuties
	authorizer, err := authz.New(config)
	if err != nil {
		return refusal(malformed("input: %s", err)) // the rest of it was made when the service began
	}
	decide := authorizer.Authorize
	if q.presentation != "" {
		if len(in.Request.Chain.Credentials) > 0 {
			return refusal(malformed("expected the credentials in the presentation alone"))
		}
		decide = func(ctx context.Context, r authz.Request) (authz.Decision, error) {
			return authorizer.AuthorizePresentation(ctx, r, []byte(q.presentation), vc.Expected{Challenge: q.challenge, Domain: []string{q.domain}})
		}
	}
	d, err := decide(ctx, in.Request)
	if err != nil {
		if ctx.Err() != nil {
			return refusal(ctx.Err())
		}
		return refusal(malformed("input: %s", err))
	}
	more, err := cli.DecisionJSON(&d)
	if err != nil {
		return answer{cause: err}
	}
	status, code, message := cli.DecisionVerdict(&d)
	return answer{http: 200, verdict: status, code: code, message: message, more: more}
}
