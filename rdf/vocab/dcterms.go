package vocab

// Dublin Core metadata terms (namespace dcterms:).
const (
	DC = "http://purl.org/dc/terms/"

	DCTitle        = DC + "title"
	DCDescription  = DC + "description"
	DCHasVersion   = DC + "hasVersion"
	DCIsReplacedBy = DC + "isReplacedBy"
	DCReplaces     = DC + "replaces" // its inverse
)
