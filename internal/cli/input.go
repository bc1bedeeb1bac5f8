package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// stdinName is what diagnostics call standard input.
const stdinName = "<stdin>"

// input is how a command reads its documents: what its flags say.
type input struct {
	app        *app
	limits     *limits
	format     string
	formatFlag string // the flag that sets format
	base       string
	jsonld     jsonldFlags

	declared []turtle.Prefix // by the documents that were read, in order

	scope func(predicate string, named bool) bool // see [rdf.Builder.Scope]; nil for all
}

// addInputFlags gives a command the flags of reading.
func (a *app) addInputFlags(cmd *cobra.Command) *input {
	in := &input{app: a, limits: addLimitFlag(cmd), formatFlag: "--format"}
	f := cmd.Flags()
	f.StringVar(&in.format, "format", "", "syntax of the input, a `FORMAT` out of "+formatNames()+"; by default from the file's extension, for standard input turtle")
	f.StringVar(&in.base, "base", "", "base `IRI` for relative references, which are refused without; for JSON-LD the document's IRI")
	in.jsonld.add(cmd)
	completeFlag(cmd, "format", formats()...)
	return in
}

// check refuses flags that no input could be read with.
func (in *input) check(cmd *cobra.Command) error {
	if in.format != "" {
		if _, err := syntaxNamed(cmd, in.formatFlag, in.format); err != nil {
			return err
		}
	}
	if in.base != "" {
		if _, err := rdf.ParseBase(in.base); err != nil {
			return usageError(cmd, "--base: "+err.Error())
		}
	}
	return in.jsonld.check(cmd)
}

// formats are the values of a flag that names a syntax.
func formats() []string {
	var names []string
	for _, s := range rdfio.Syntaxes() {
		names = append(names, s.String())
	}
	return names
}

// formatNames lists the syntaxes for messages and helps.
func formatNames() string { return strings.Join(formats(), ", ") }

// syntaxNamed returns the syntax that a flag names.
func syntaxNamed(cmd *cobra.Command, flag, name string) (rdfio.Syntax, error) {
	s, ok := rdfio.ByName(name)
	if !ok {
		return 0, usageError(cmd, flag+": unknown format "+quote(name)+", expected one of "+formatNames())
	}
	return s, nil
}

// syntax returns the syntax of a file: by --format, else by its extension, else
// Turtle for standard input. It is never guessed from content.
func (in *input) syntax(file string) (rdfio.Syntax, error) {
	if in.format != "" {
		s, _ := rdfio.ByName(in.format) // checked
		return s, nil
	}
	if file == "-" {
		return rdfio.Turtle, nil
	}
	if s, ok := rdfio.ByExtension(file); ok {
		return s, nil
	}
	switch info, err := os.Stat(file); {
	case err != nil:
		return 0, err // a missing file is a misspelt name more often than an unknown format
	case info.IsDir():
		return 0, &fs.PathError{Op: "read", Path: file, Err: syscall.EISDIR} // as when it is read
	}
	return 0, &failure{
		status: StatusCall, place: rdf.Place{File: file}, code: "unknown-format",
		text: "cannot tell the syntax from the file's extension; say it by " + in.formatFlag,
		hint: "known extensions are .ttl .nt .nq .trig .jsonld .json",
	}
}

// display is the name of a file in diagnostics and reports.
func display(file string) string {
	if file == "-" {
		return stdinName
	}
	return file
}

// dataset reads files as the documents of one dataset; mostly there is one.
func (in *input) dataset(ctx context.Context, o rdfio.Options, files ...string) (*rdf.Dataset, error) {
	syntaxes, texts := make([]rdfio.Syntax, len(files)), make([][]byte, len(files))
	total := 0
	for i, file := range files {
		var err error
		if syntaxes[i], err = in.syntax(file); err != nil {
			return nil, err
		}
		if texts[i], err = in.bytes(ctx, file, in.limits.read.OrPeer().Bytes); err != nil {
			return nil, err
		}
		total += len(texts[i])
	}
	o.Base, o.Limits = in.base, in.limits.reading(total)
	o.Declared = func(p turtle.Prefix) { in.declared = append(in.declared, p) }
	b := rdf.NewBuilder(o.Limits)
	if in.scope != nil {
		b.Scope(in.scope)
	}
	for i, file := range files {
		if syntaxes[i] == rdfio.JSONLD {
			var err error
			if o.JSONLD, err = in.jsonldOptions(ctx); err != nil {
				return nil, err
			}
		}
		o.File = display(file)
		if err := rdfio.ParseInto(b, texts[i], syntaxes[i], o); err != nil {
			return nil, &inFile{o.File, in.jsonld.inFile(err)}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	b.Trim()
	d := b.Dataset()
	if slices.Contains(syntaxes, rdfio.JSONLD) {
		in.app.hintPrefixes(d)
	}
	return d, nil
}

// datasetInScope reads a file of which only what is in scope is kept, where there
// is one. Of line formats it has only some lines in memory at a time then.
func (in *input) datasetInScope(ctx context.Context, o rdfio.Options, file string) (*rdf.Dataset, error) {
	syntax, err := in.syntax(file)
	if err != nil {
		return nil, err
	}
	if in.scope == nil || syntax != rdfio.NTriples && syntax != rdfio.NQuads {
		return in.dataset(ctx, o, file)
	}
	r, size, err := in.open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	o.File, o.Limits = display(file), in.limits.read
	if size > 0 {
		o.Limits = in.limits.reading(int(size))
	}
	b := rdf.NewBuilder(o.Limits)
	b.Scope(in.scope)
	if err := rdfio.ReadInto(b, r, syntax, o); err != nil {
		return nil, &inFile{o.File, withoutPath(err)}
	}
	b.Trim()
	return b.Dataset(), ctx.Err()
}

// open opens a file and returns its size, 0 when that is not known.
func (in *input) open(file string) (io.ReadCloser, int64, error) {
	if file == "-" {
		if in.app.inUsed {
			return nil, 0, &failure{status: StatusCall, place: rdf.Place{File: stdinName}, code: "usage", text: "standard input can be read once"}
		}
		in.app.inUsed = true
		return io.NopCloser(in.app.in), 0, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, 0, err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return f, info.Size(), nil
	}
	return f, 0, nil
}

// fixedBytes is more than any reader takes whose limit no flag sets: of a key, a
// configuration, a record of a decision, a message.
const fixedBytes = 16 << 20

// bytes reads a file for a reader that takes so many bytes, up to the limit of files and no
// further. A larger file is not read whole, as one that does not end would have to be: one
// byte more than the reader takes is enough for it to refuse in its own words.
func (in *input) bytes(ctx context.Context, file string, takes int64) ([]byte, error) {
	r, size, err := in.open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	most := in.limits.read.OrPeer().Bytes
	over := &inFile{display(file), &rdf.LimitError{Limit: rdf.LimitBytes, Max: most}}
	if size > most && most <= takes {
		return nil, over
	}
	takes = min(takes, most) + 1
	var data []byte
	if limited := io.LimitReader(r, takes); size > 0 {
		buf := bytes.NewBuffer(make([]byte, 0, min(size, takes)+bytes.MinRead))
		_, err = buf.ReadFrom(limited)
		data = buf.Bytes()
	} else {
		data, err = io.ReadAll(limited) // in pieces, which are put together once
	}
	if err != nil {
		return nil, &inFile{display(file), withoutPath(err)}
	}
	if int64(len(data)) > most {
		return nil, over
	}
	return data, ctx.Err()
}

// withoutPath returns what an operation on a file failed of, without the name of the file,
// which diagnostics have before it.
func withoutPath(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// settings reads a JSON file that its user wrote for this program, and that is no
// document of a specification. Editors that begin it with a byte order mark are no
// reason to refuse it, as for documents in RDF: places count from behind the mark.
func (in *input) settings(ctx context.Context, file string) ([]byte, error) {
	data, err := in.bytes(ctx, file, fixedBytes)
	return bytes.TrimPrefix(data, []byte("\ufeff")), err
}

// warnEmpty says that a document holds nothing: a hash of nothing, or nothing
// to validate, is seldom what was meant.
func (in *input) warnEmpty(file string, d *rdf.Dataset) {
	if d.Len() == 0 {
		in.app.diag.warn(rdf.Place{File: display(file)}, "the document holds no triples", "empty-graph")
	}
}
