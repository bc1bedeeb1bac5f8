package service

import (
	"slices"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/shacl"
)

// readingCodes are those of documents that cannot be read.
func readingCodes() []string {
	return slices.Concat(names(
		rdf.CodeSyntax, rdf.CodeInvalidUTF8, rdf.CodeInvalidEscape, rdf.CodeInvalidIRI, rdf.CodeRelativeIRI,
		rdf.CodeUndefinedPrefix, rdf.CodeInvalidLabel, rdf.CodeInvalidLang, rdf.CodeInvalidTerm, rdf.CodeLimitExceeded,
		jsonld.CodeTrailingData, jsonld.CodeByteOrderMark, jsonld.CodeLoneSurrogate, jsonld.CodeDuplicateMember, jsonld.CodeNumberRange,
	), names(
		jsonld.CodeCollidingKeywords, jsonld.CodeConflictingIndexes, jsonld.CodeContextOverflow,
		jsonld.CodeCyclicIRIMapping, jsonld.CodeInvalidIDValue, jsonld.CodeInvalidImportValue,
		jsonld.CodeInvalidIncludedValue, jsonld.CodeInvalidIndexValue, jsonld.CodeInvalidNestValue,
		jsonld.CodeInvalidPrefixValue, jsonld.CodeInvalidPropagateValue, jsonld.CodeInvalidProtectedValue,
		jsonld.CodeInvalidReverseValue, jsonld.CodeInvalidVersionValue, jsonld.CodeInvalidBaseDirection,
		jsonld.CodeInvalidBaseIRI, jsonld.CodeInvalidContainerMapping, jsonld.CodeInvalidContextEntry,
		jsonld.CodeInvalidContextNullified, jsonld.CodeInvalidDefaultLanguage, jsonld.CodeInvalidIRIMapping,
		jsonld.CodeInvalidKeywordAlias, jsonld.CodeInvalidLanguageMapValue, jsonld.CodeInvalidLanguageMapping,
		jsonld.CodeInvalidLanguageTagged, jsonld.CodeInvalidLanguageTaggedValue, jsonld.CodeInvalidLocalContext,
		jsonld.CodeInvalidRemoteContext, jsonld.CodeInvalidReverseProperty, jsonld.CodeInvalidReversePropertyMap,
		jsonld.CodeInvalidReverseProperties, jsonld.CodeInvalidScopedContext, jsonld.CodeInvalidSetOrList,
		jsonld.CodeInvalidTermDefinition, jsonld.CodeInvalidTypeMapping, jsonld.CodeInvalidTypeValue,
		jsonld.CodeInvalidTypedValue, jsonld.CodeInvalidValueObject, jsonld.CodeInvalidValueObjectValue,
		jsonld.CodeInvalidVocabMapping, jsonld.CodeKeywordRedefinition, jsonld.CodeLoadingDocumentFailed,
		jsonld.CodeLoadingRemoteContext, jsonld.CodeProcessingModeConflict, jsonld.CodeProtectedTermRedefinition,
		jsonld.CodeUndefinedTerm, jsonld.CodeReservedTerm, jsonld.CodeRelativeIRI, jsonld.CodeIllFormedIRI,
		jsonld.CodeBlankPredicate, jsonld.CodeIllFormedTag, jsonld.CodeFreeFloating, jsonld.CodeDirectionDropped,
		jsonld.CodeInexactNumber,
	))
}

// routeCodes returns the codes of the verdicts of a route and of inputs that it refuses,
// beside those of the service, each once and in order.
func routeCodes(path string) []string {
	var all []string
	switch path {
	case "/v1/receive", "/v1/respond":
		all = names(protocol.Codes()...)
	case "/v1/hash":
		all = append(readingCodes(), string(protocol.CodeProtocolHashMismatch))
	case "/v1/validate":
		all = slices.Concat(readingCodes(), names(shacl.Codes()...), names(protocol.CodeIntentInvalid, protocol.CodeResponseInvalid,
			protocol.CodeMalformedPayload, protocol.CodeUnsupportedMediaType, protocol.CodeUnsupportedProtocol,
		), []string{"does-not-conform", "no-node-checked"})
	case "/v1/authorize":
		all = append(names(authz.Codes()...), "invalid-input", "invalid-request")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// outcomeCodes returns every code that an answer can have: the labels of metrics.
func outcomeCodes() []string {
	all := names(Codes()...)
	for _, path := range []string{"/v1/receive", "/v1/hash", "/v1/validate", "/v1/authorize"} {
		all = append(all, routeCodes(path)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func names[C ~string](codes ...C) []string {
	out := make([]string, len(codes))
	for i, c := range codes {
		out[i] = string(c)
	}
	return out
}
