module github.com/rdfproto/rdfproto/compat

go 1.26.0

replace github.com/rdfproto/rdfproto => ../

require (
	github.com/deiu/rdf2go v0.0.0-20241212211204-b661ba0dfd25
	github.com/gowebpki/jcs v1.0.2
	github.com/knakk/rdf v0.0.0-20260317081859-15b52521cde6
	github.com/piprate/json-gold v0.9.1
	github.com/rdfproto/rdfproto v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/cayleygraph/quad v1.3.0 // indirect
	github.com/deiu/gon3 v0.0.0-20241212124032-93153c038193 // indirect
	github.com/linkeddata/gojsonld v0.0.0-20170418210642-4f5db6791326 // indirect
	github.com/pquerna/cachecontrol v0.2.0 // indirect
	github.com/rychipman/easylex v0.0.0-20160129204217-49ee7767142f // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
