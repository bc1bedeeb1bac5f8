package service

import (
	_ "embed"
	"slices"
)

//go:embed openapi.json
var openAPI []byte

// OpenAPI returns the description of the service in OpenAPI 3.1, which it serves
// itself. The result is the caller's own.
func OpenAPI() []byte { return slices.Clone(openAPI) }
