package differential_test

import "github.com/rdfproto/rdfproto/internal/oracle"

func jsonText(text string) difference { return in("json", "", text) }

func canonicalizeFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "takes the last of members with one name (RFC 8785, 3.1: RFC 7493, 2.3)",
			Excuses: accepting("duplicate-member", `"[^"]*":.*"[^"]*":`),
			Example: jsonText(`{"":1,"":2}`), Want: "refused: duplicate-member",
		},
		{
			Cause:   "does not see a lone surrogate in a member that another replaces",
			Excuses: accepting("lone-surrogate", `"([^"]*)":.*"[^"]*":`),
			Example: jsonText(`{"":{"\uD83D":9},"":1}`), Want: "refused: lone-surrogate",
		},
	}
}
