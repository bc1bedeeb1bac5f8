package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
	"github.com/rdfproto/rdfproto/protocol"
)

// refusals shows what is refused, here and by the agent. sent was carried out.
func (s *session) refusals(ctx context.Context, sent engine.Message) error {
	fmt.Fprintln(s.out, "\n3. Refused for its shape: an intent that does not say who shall read")
	const incomplete = `PREFIX a2a: <https://w3id.org/jeswr/a2a#>
PREFIX acl: <http://www.w3.org/ns/auth/acl#>
PREFIX schema: <https://schema.org/>
[] a a2a:Intent ; a2a:action [ a a2a:GrantAction ; schema:object <` + demo.Meeting + `> ; a2a:mode acl:Read ] .
`
	_, err := s.talk.Intent(ctx, engine.IntentDraft{Pin: s.pin, Body: incomplete, MediaType: "text/turtle"})
	fmt.Fprintf(s.out, "  here, before it is sent: %v\n", err)
	bad := sent
	bad.ID, bad.Parts = sent.ID+"-bad", slices.Clone(sent.Parts)
	bad.Parts[0].Text = incomplete
	if err := s.sendRaw(ctx, bad); err != nil {
		return err
	}

	fmt.Fprintln(s.out, "\n4. Refused for the mandate: Alice lets Bob decide who reads, not who writes")
	r, err := s.talk.Intent(ctx, engine.IntentDraft{Pin: s.pin, Graph: letBob(protocol.ModeRead)})
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "  without a presentation:")
	s.print(r)
	presentation, err := s.me.Present(ctx, r.Challenge)
	if err != nil {
		return err
	}
	r, err = s.talk.Intent(ctx, engine.IntentDraft{Pin: s.pin, Graph: letBob(protocol.ModeWrite), Presentation: presentation})
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "  with one, to let Bob write:")
	s.print(r)

	fmt.Fprintln(s.out, "\n5. Replay")
	again, err := s.talk.Resend(ctx, sent)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "  the same message again is not carried out again: %s, %s\n", again.Kind, demo.Clean(strings.Join(again.Texts, " ")))
	fmt.Fprintln(s.out, "  another content under the same messageId:")
	other := sent
	other.Parts = append(slices.Clone(sent.Parts), engine.Part{Content: engine.Text, Text: "and now?"})
	if err := s.sendRaw(ctx, other); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "  the same presentation in another message:")
	other = sent
	other.ID += "-again"
	return s.sendRaw(ctx, other)
}

// sendRaw sends a message as a program would that checks nothing, and prints what the
// agent says.
func (s *session) sendRaw(ctx context.Context, m engine.Message) error {
	text, err := m.AppendJSON(nil)
	if err != nil {
		return err
	}
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":%s}}`, text)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.client.Endpoint().URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("A2A-Version", "1.0")
	request.Header.Set("A2A-Extensions", protocol.ExtensionURI)
	request.Header.Set("Authorization", "Bearer "+s.me.Token)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(s.me.Certificate))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if body, err = io.ReadAll(io.LimitReader(response.Body, a2a.MaxMessage)); err != nil {
		return err
	}
	reply, err := engine.ParseReply(body, engine.Limits{})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "  the agent says: %s: %s\n", reply.Code, demo.Clean(reply.Text))
	return nil
}
