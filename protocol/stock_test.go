package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

func digest(t testing.TB, d *rdf.Dataset) string {
	t.Helper()
	h, err := canon.Hash(t.Context(), d, canon.Options{})
	require.NoError(t, err)
	return h.String()
}

// TestStockDigests reproduces the known digests of a2a-rdf, section 11.3.
func TestStockDigests(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		verb            protocol.Verb
		quads           int
		request, intent string
	}{
		{protocol.VerbRead, 21, "553e95cbfc321618fe49ca8bfd15da75c6c7ffa66a128745186e7e7844669929", "406f00e36fb5b1b8a59a806b1aa1a430c3ed7c7d0d62aa9e4416db59f55dcdc2"},
		{protocol.VerbCreate, 21, "e28e5f62307dbd7f9f7f522c427f8c05ad5d8e1fcacd62256e8e7e4b3c257017", "500bb1dd48122d2964e4f8bc81236e67779369a80d49e9ed726da751e6f4f1af"},
		{protocol.VerbUpdate, 21, "9c6d28543c2a593e8b00e632a27e3de317371221aa706b9409101b3a1c6e7527", "721bf55fa0208dd055e16178e735fb94b6765c63d3aab6ae2ac09157784cf963"},
		{protocol.VerbAppend, 21, "99dbe26b178e82ee1fb906030dbbf686aa22a9dede7bd7f49d1e16ff85691c26", "181f8e9f595bb0e58052057165a284b2d87aabf9a27bec10526ee18b6dde0979"},
		{protocol.VerbDelete, 21, "01b15128f6332c62ecb5227cfb7f78fec9dc8ab80367cfc8bac4542c2fecdffe", "0b24c150fc28413d5651a8498c406d61db091c0708c73aaed76177805b8d88a1"},
		{protocol.VerbList, 21, "6652fdb02e4989bfaf4b514f5eee2fd53c801dbf86a56f45e9c51092f4ec5d6d", "568af0c927209c0fe2f1f8d6e83f2cc2977f8d0ca6823918215826db2def1975"},
		{protocol.VerbGrant, 33, "57944c583352a20a0d64e12301a68ccd794af3b00e81cf828c74636a81512df6", "0f7b76c5091caa9a7ae0a880f8447dd79141f393af655a8917c1f9fcdbdca376"},
		{protocol.VerbSubscribe, 15, "4f11dc274470fc2f80e06b6a66b2b5f40bc161e359c1cdbfd4801a95f1163f23", "4f29b40110524f86e639a63aa5521b8ee9659f7b771baf50ab9b49b109ed2a42"},
		{protocol.VerbQuery, 15, "347fb26bb834e3e704e7a25e7decaca9190eb388768b11bb94e44ab0518c3180", "adfa09e50c0bd21fbd17ea53ea54e33445c006a4f5c368b1f8dfd802181615f3"},
	} {
		t.Run(row.verb.String(), func(t *testing.T) {
			t.Parallel()
			shape, err := protocol.StockRequest(row.verb)
			require.NoError(t, err)
			require.Equal(t, row.quads, shape.Len())
			require.Equal(t, "sha256:"+row.request, digest(t, shape))

			in := goldenIntent(row.verb)
			graph, err := in.Graph()
			require.NoError(t, err)
			require.Equal(t, "sha256:"+row.intent, digest(t, graph))

			node, n := protocol.Intents(graph)
			require.Equal(t, 1, n)
			got, err := protocol.Project(graph, node)
			require.NoError(t, err)
			require.Equal(t, in, got)
		})
	}
	response, err := protocol.StockResponse("https://schema.org/ReadAction", "")
	require.NoError(t, err)
	require.Equal(t, 7, response.Len())
	require.Equal(t, "sha256:6e74e004ea924a367a9ad0ba92ee7a189f3ab22683f03136754f371b4dd58440", digest(t, response))
}

// goldenIntent is the intent whose graphs have known digests.
func goldenIntent(v protocol.Verb) protocol.Intent {
	in := protocol.Intent{
		ID: protocol.IntentBase + "golden-" + v.String(), Verb: v, Target: "https://alice.pod/data/resource", Agent: "https://alice.example/profile#me",
		Parameters: []protocol.Parameter{{Key: "label", Value: "with spaces"}, {Key: "limit", Value: "10"}},
	}
	if v == protocol.VerbGrant {
		in.Recipient = "https://bob.example/profile#me"
		in.Modes = protocol.ModeRead | protocol.ModeWrite | protocol.ModeAppend | protocol.ModeControl
	}
	return in
}
