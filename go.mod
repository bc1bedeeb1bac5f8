module github.com/rdfproto/rdfproto

go 1.26
