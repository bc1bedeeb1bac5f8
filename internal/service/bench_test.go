package service_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/protocol"
)

// BenchmarkRequests is what a request costs beside the network.
func BenchmarkRequests(b *testing.B) {
	s := service.New(service.Options{
		Door: service.DoorSocket, Now: noon,
		Judge: grantJudge(b, strings.Replace(permitAll, `"replay"`, `"agreements":["PIN"],"replay"`, 1)),
	})
	grant, body := testdata(b, "grant-access.ttl"), testdata(b, "intent.ttl")
	n := 0
	for _, row := range []struct {
		name, path, contentType string
		body                    func() string
	}{
		{"hash", "/v1/hash", turtle, func() string { return grant }},
		{"validate", "/v1/validate", inJSON, func() string {
			return object(b, m{"data": m{"content": body, "mediaType": turtle}, "protocol": grantPin})
		}},
		{"receive", "/v1/receive", inJSON, func() string {
			n++
			return object(b, m{"message": msg("m-"+strconv.Itoa(n), "c-1", intent(grantPin, body)), "peer": bob + strconv.Itoa(n/5000), "extensions": []string{protocol.ExtensionURI}})
		}},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, row.path, strings.NewReader(row.body()))
				r.Header.Set("Content-Type", row.contentType)
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					require.Equal(b, http.StatusOK, w.Code, w.Body.String())
				}
			}
		})
	}
}
