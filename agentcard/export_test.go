package agentcard

// Field is a row of the presence table: what A2A 1.0 says about one field of a
// card.
type Field struct {
	Message   string // name of the message in the proto file
	Name      string // in JSON
	ProtoName string // in the proto file
	Type      string // as in the proto file: "string", "repeated AgentSkill", "map<string, string>"
	Presence  string // "REQUIRED", "optional", "oneof" or "plain"
}

// Fields returns the presence table, message by message in the order of the field
// numbers.
func Fields() []Field {
	var out []Field
	for _, m := range schema {
		for _, f := range m.fields {
			row := Field{Message: m.name, Name: f.name, ProtoName: f.proto, Type: f.protoType(), Presence: f.presence.name()}
			if row.ProtoName == "" {
				row.ProtoName = f.name
			}
			out = append(out, row)
		}
	}
	return out
}

func (p presence) name() string {
	return map[presence]string{plain: "plain", optional: "optional", oneof: "oneof", required: "REQUIRED"}[p]
}

func (f *field) protoType() string {
	switch f.kind {
	case flag:
		return "bool"
	case texts:
		return "repeated string"
	case single:
		return schema[f.of].name
	case list:
		return "repeated " + schema[f.of].name
	case textMap:
		return "map<string, string>"
	case singleMap:
		return "map<string, " + schema[f.of].name + ">"
	case structure:
		return "Struct"
	}
	return "string"
}
