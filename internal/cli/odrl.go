package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

func (a *app) odrlCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "odrl COMMAND",
		Short: "evaluate and check ODRL policies",
		Long: `Works on policies of the ODRL Information Model 2.2. Whatever is not understood
in a policy counts against the request: an unknown term never permits, and never
lifts a prohibition.`,
		Example: `  rdfproto odrl evaluate --policy policy.ttl --request request.json
  rdfproto odrl lint policy.ttl
  rdfproto odrl support`,
	}, a.odrlEvaluateCommand(), a.odrlLintCommand(), a.odrlSupportCommand())
}

// dialectFlag gives a command the flag that says which terms are known, and
// returns what reads it.
func dialectFlag(cmd *cobra.Command) func() (odrl.Dialect, error) {
	var name string
	all := []odrl.Dialect{odrl.InformationModel, odrl.DelegationProfile}
	var names []string
	for _, d := range all {
		names = append(names, d.String())
	}
	cmd.Flags().StringVar(&name, "dialect", names[0], "the terms that are understood, `NAME` being "+strings.Join(names, " or "))
	completeFlag(cmd, "dialect", names...)
	return func() (odrl.Dialect, error) {
		for _, d := range all {
			if d.String() == name {
				return d, nil
			}
		}
		return 0, usageError(cmd, "--dialect: unknown dialect "+quote(name)+", expected "+strings.Join(names, " or "))
	}
}

// request reads a request file.
func (in *input) request(ctx context.Context, file string) (odrl.Request, error) {
	data, err := in.settings(ctx, file)
	if err != nil {
		return odrl.Request{}, err
	}
	r, err := odrl.ParseRequest(data)
	if err != nil {
		return r, &inFile{display(file), err}
	}
	return r, nil
}

// policyGraph reads the graph of a file of policies. Named graphs are refused: they
// may hold a prohibition that nobody would see.
func (in *input) policyGraph(ctx context.Context, file string) (rdf.Graph, error) {
	d, err := in.dataset(ctx, rdfio.Options{Places: true}, file)
	if err != nil {
		return rdf.Graph{}, err
	}
	if len(d.GraphNames()) > 0 {
		return rdf.Graph{}, &failure{
			status: StatusRefused, place: rdf.Place{File: display(file)}, code: "named-graphs",
			text: "expected policies in the default graph, and no named graphs",
		}
	}
	return d.Default(), nil
}

// policy reads a file and compiles its policy.
func (in *input) policy(ctx context.Context, file string, o odrl.CompileOptions) (*odrl.Policy, error) {
	g, err := in.policyGraph(ctx, file)
	if err != nil {
		return nil, err
	}
	p, err := odrl.Compile(g, o)
	if err != nil {
		return nil, &inFile{display(file), err}
	}
	return p, nil
}

// policyFiles reads the policies of files, each of which holds the one that is meant.
func (in *input) policyFiles(ctx context.Context, files []string, o odrl.CompileOptions) ([]*odrl.Policy, error) {
	var all []*odrl.Policy
	for _, file := range files {
		p, err := in.policy(ctx, file, o)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// policyFailure turns what a policy or a JSON text was refused for into a
// failure, and reports whether err is such an error.
func policyFailure(err error) (f failure, ok bool) {
	var (
		compile *odrl.CompileError
		limit   *odrl.LimitError
		request *odrl.RequestError
		revoke  *delegation.RevocationError
		text    *strictjson.Error
		input   *vectors.InputError
	)
	switch {
	case errors.As(err, &compile):
		return failure{status: StatusRefused, place: compile.Finding.Place, text: compile.Finding.Message, code: string(compile.Finding.Code)}, true
	case errors.As(err, &limit):
		words := odrl.LimitError{Limit: limit.Limit, Max: limit.Max}
		return failure{status: StatusRefused, place: limit.Place, text: words.Error(), code: string(rdf.CodeLimitExceeded)}, true
	case errors.As(err, &request):
		return failure{status: StatusRefused, place: request.Place, text: request.Message, code: "invalid-request"}, true
	case errors.As(err, &revoke):
		words := delegation.RevocationError{Term: revoke.Term}
		return failure{status: StatusRefused, place: revoke.Place, text: words.Error(), code: string(revoke.Code())}, true
	case errors.As(err, &input):
		return failure{status: StatusRefused, place: rdf.Place{Line: input.Line, Column: input.Column}, text: input.Text, code: "invalid-input"}, true
	case errors.As(err, &text):
		return failure{status: StatusRefused, place: rdf.Place{Line: text.Line, Column: text.Column}, text: at(text.Text, text.Pointer), code: string(text.Code)}, true
	}
	return failure{}, false
}
