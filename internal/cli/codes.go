package cli

// Code is a code of the command line itself. Most codes that it prints come from
// the packages that judge.
type Code string

// ownCodes is every code of the command line itself, with what it means.
var ownCodes = [...]struct {
	code Code
	text string
}{
	{"usage", "the command was called wrongly"},
	{"unreadable", "a file or folder cannot be read"},
	{"unknown-format", "the syntax cannot be told from the file's extension"},
	{"empty-graph", "the document holds no triples"},
	{"named-graphs", "the dataset has named graphs where one graph is needed"},
	{"not-writable", "the dataset cannot be written in this syntax without a loss"},
	{"no-node-checked", "the shapes selected no node of the data, so that nothing was judged"},
	{"does-not-conform", "the data does not conform to the shapes"},
	{"case-failed", "a conformance case had another outcome than is expected"},
	{"invalid-input", "the input of a decision is not of the form that the command reads"},
	{"invalid-request", "the request is not of the form that the command reads"},
	{"invalid-config", "the configuration does not describe an agent"},
	{"invalid-key", "the file holds no private key that can be used"},
	{"no-keys", "the folder holds no controller documents, so that only did:key identifiers have keys"},
	{"malformed", "the file holds no seed that can be used"},
	{"NO_STATUS", "the credential has no status entry"},
	{"RECORD_DIFFERS", "the decision that was made again is not the recorded one"},
	{"no-agreement", "the store holds no agreement that is asked for"},
	{"damaged", "the store of agreements is damaged"},
	{"locked", "another program has the store open"},
	{"unreachable", "a document could not be fetched"},
	{"write-failed", "the result cannot be written"},
	{"interrupted", "the command was interrupted before there was a result"},
	{"no-daemon", "the command needs rdfprotod, which is not here"},
	{"failed", "the command could not tell, for a reason that nobody foresaw"},
}

// Codes returns the codes of the command line itself, in a fixed order.
func Codes() []Code {
	out := make([]Code, len(ownCodes))
	for i, c := range ownCodes {
		out[i] = c.code
	}
	return out
}

// Text returns one sentence on what the code means, and "" for a code that is not of
// the command line itself.
func (c Code) Text() string {
	for _, own := range ownCodes {
		if own.code == c {
			return own.text
		}
	}
	return ""
}
