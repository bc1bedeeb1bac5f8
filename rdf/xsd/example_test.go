package xsd_test

import (
	"fmt"

	"github.com/rdfproto/rdfproto/rdf/xsd"
)

func ExampleCompare() {
	parse := func(d xsd.Datatype, lexical string) xsd.Value {
		v, err := xsd.Parse(d, lexical)
		if err != nil {
			fmt.Println(err)
		}
		return v
	}
	noon := parse(xsd.DateTime, "2002-10-10T12:00:00")
	fmt.Println(xsd.Compare(noon, parse(xsd.DateTime, "2002-10-10T12:00:00Z")))
	fmt.Println(xsd.Compare(noon, parse(xsd.DateTime, "2002-10-12T12:00:00Z")))
	fmt.Println(xsd.Compare(parse(xsd.Integer, "1"), parse(xsd.Decimal, "1.0")))
	parse(xsd.Date, "2024-02-30")
	// Output:
	// incomparable
	// less
	// equal
	// "2024-02-30" is not in the lexical space of xsd:date
}
