package agentcard

// Presence says when a field is part of a card (A2A 1.0, sections 5.7 and 8.4.1).
type Presence uint8

// The classes of presence.
const (
	Plain    Presence = iota // a default value means that the field is not there
	Optional                 // declared optional: present when it was set, also to the default
	Oneof                    // member of a oneof: at most one of them is present
	Required                 // marked REQUIRED: part of the card whatever its value
)

// String returns the name of the class.
func (p Presence) String() string {
	switch p {
	case Optional:
		return "optional"
	case Oneof:
		return "oneof"
	case Required:
		return "REQUIRED"
	}
	return "plain"
}

// kind is the JSON form of a field.
type kind uint8

const (
	text      kind = iota // string
	flag                  // bool
	texts                 // repeated string
	single                // a message
	list                  // repeated message
	textMap               // map<string, string>
	singleMap             // map<string, message>
	structure             // google.protobuf.Struct: any JSON object
)

// message names a message type of the schema.
type message uint8

const (
	agentCard message = iota
	agentInterface
	agentProvider
	agentCapabilities
	agentExtension
	agentSkill
	securityRequirement
	stringList
	securityScheme
	apiKeyScheme
	httpAuthScheme
	oauth2Scheme
	openIDScheme
	mutualTLSScheme
	oauthFlows
	authorizationCodeFlow
	clientCredentialsFlow
	implicitFlow
	passwordFlow
	deviceCodeFlow
	agentCardSignature
	noMessage
)

// field is one field of a message.
type field struct {
	name     string // in JSON
	proto    string // in the proto file, where it differs
	kind     kind
	of       message // of single, list and singleMap
	presence Presence
}

// schema is a2a.proto of A2A 1.0, as far as cards go, each message in the order of
// its field numbers.
var schema = [noMessage]struct {
	name   string
	fields []field
}{
	agentCard: {"AgentCard", []field{
		{"name", "", text, noMessage, Required},
		{"description", "", text, noMessage, Required},
		{"supportedInterfaces", "supported_interfaces", list, agentInterface, Required},
		{"provider", "", single, agentProvider, Plain},
		{"version", "", text, noMessage, Required},
		{"documentationUrl", "documentation_url", text, noMessage, Optional},
		{"capabilities", "", single, agentCapabilities, Required},
		{"securitySchemes", "security_schemes", singleMap, securityScheme, Plain},
		{"securityRequirements", "security_requirements", list, securityRequirement, Plain},
		{"defaultInputModes", "default_input_modes", texts, noMessage, Required},
		{"defaultOutputModes", "default_output_modes", texts, noMessage, Required},
		{"skills", "", list, agentSkill, Required},
		{"signatures", "", list, agentCardSignature, Plain},
		{"iconUrl", "icon_url", text, noMessage, Optional},
	}},
	agentInterface: {"AgentInterface", []field{
		{"url", "", text, noMessage, Required},
		{"protocolBinding", "protocol_binding", text, noMessage, Required},
		{"tenant", "", text, noMessage, Plain},
		{"protocolVersion", "protocol_version", text, noMessage, Required},
	}},
	agentProvider: {"AgentProvider", []field{
		{"url", "", text, noMessage, Required},
		{"organization", "", text, noMessage, Required},
	}},
	agentCapabilities: {"AgentCapabilities", []field{
		{"streaming", "", flag, noMessage, Optional},
		{"pushNotifications", "push_notifications", flag, noMessage, Optional},
		{"extensions", "", list, agentExtension, Plain},
		{"extendedAgentCard", "extended_agent_card", flag, noMessage, Optional},
	}},
	agentExtension: {"AgentExtension", []field{
		{"uri", "", text, noMessage, Plain},
		{"description", "", text, noMessage, Plain},
		{"required", "", flag, noMessage, Plain},
		{"params", "", structure, noMessage, Plain},
	}},
	agentSkill: {"AgentSkill", []field{
		{"id", "", text, noMessage, Required},
		{"name", "", text, noMessage, Required},
		{"description", "", text, noMessage, Required},
		{"tags", "", texts, noMessage, Required},
		{"examples", "", texts, noMessage, Plain},
		{"inputModes", "input_modes", texts, noMessage, Plain},
		{"outputModes", "output_modes", texts, noMessage, Plain},
		{"securityRequirements", "security_requirements", list, securityRequirement, Plain},
	}},
	securityRequirement: {"SecurityRequirement", []field{
		{"schemes", "", singleMap, stringList, Plain},
	}},
	stringList: {"StringList", []field{
		{"list", "", texts, noMessage, Plain},
	}},
	securityScheme: {"SecurityScheme", []field{
		{"apiKeySecurityScheme", "api_key_security_scheme", single, apiKeyScheme, Oneof},
		{"httpAuthSecurityScheme", "http_auth_security_scheme", single, httpAuthScheme, Oneof},
		{"oauth2SecurityScheme", "oauth2_security_scheme", single, oauth2Scheme, Oneof},
		{"openIdConnectSecurityScheme", "open_id_connect_security_scheme", single, openIDScheme, Oneof},
		{"mtlsSecurityScheme", "mtls_security_scheme", single, mutualTLSScheme, Oneof},
	}},
	apiKeyScheme: {"APIKeySecurityScheme", []field{
		{"description", "", text, noMessage, Plain},
		{"location", "", text, noMessage, Required},
		{"name", "", text, noMessage, Required},
	}},
	httpAuthScheme: {"HTTPAuthSecurityScheme", []field{
		{"description", "", text, noMessage, Plain},
		{"scheme", "", text, noMessage, Required},
		{"bearerFormat", "bearer_format", text, noMessage, Plain},
	}},
	oauth2Scheme: {"OAuth2SecurityScheme", []field{
		{"description", "", text, noMessage, Plain},
		{"flows", "", single, oauthFlows, Required},
		{"oauth2MetadataUrl", "oauth2_metadata_url", text, noMessage, Plain},
	}},
	openIDScheme: {"OpenIdConnectSecurityScheme", []field{
		{"description", "", text, noMessage, Plain},
		{"openIdConnectUrl", "open_id_connect_url", text, noMessage, Required},
	}},
	mutualTLSScheme: {"MutualTlsSecurityScheme", []field{
		{"description", "", text, noMessage, Plain},
	}},
	oauthFlows: {"OAuthFlows", []field{
		{"authorizationCode", "authorization_code", single, authorizationCodeFlow, Oneof},
		{"clientCredentials", "client_credentials", single, clientCredentialsFlow, Oneof},
		{"implicit", "", single, implicitFlow, Oneof},
		{"password", "", single, passwordFlow, Oneof},
		{"deviceCode", "device_code", single, deviceCodeFlow, Oneof},
	}},
	authorizationCodeFlow: {"AuthorizationCodeOAuthFlow", []field{
		{"authorizationUrl", "authorization_url", text, noMessage, Required},
		{"tokenUrl", "token_url", text, noMessage, Required},
		{"refreshUrl", "refresh_url", text, noMessage, Plain},
		{"scopes", "", textMap, noMessage, Required},
		{"pkceRequired", "pkce_required", flag, noMessage, Plain},
	}},
	clientCredentialsFlow: {"ClientCredentialsOAuthFlow", []field{
		{"tokenUrl", "token_url", text, noMessage, Required},
		{"refreshUrl", "refresh_url", text, noMessage, Plain},
		{"scopes", "", textMap, noMessage, Required},
	}},
	implicitFlow: {"ImplicitOAuthFlow", []field{
		{"authorizationUrl", "authorization_url", text, noMessage, Plain},
		{"refreshUrl", "refresh_url", text, noMessage, Plain},
		{"scopes", "", textMap, noMessage, Plain},
	}},
	passwordFlow: {"PasswordOAuthFlow", []field{
		{"tokenUrl", "token_url", text, noMessage, Plain},
		{"refreshUrl", "refresh_url", text, noMessage, Plain},
		{"scopes", "", textMap, noMessage, Plain},
	}},
	deviceCodeFlow: {"DeviceCodeOAuthFlow", []field{
		{"deviceAuthorizationUrl", "device_authorization_url", text, noMessage, Required},
		{"tokenUrl", "token_url", text, noMessage, Required},
		{"refreshUrl", "refresh_url", text, noMessage, Plain},
		{"scopes", "", textMap, noMessage, Required},
	}},
	agentCardSignature: {"AgentCardSignature", []field{
		{"protected", "", text, noMessage, Required},
		{"signature", "", text, noMessage, Required},
		{"header", "", structure, noMessage, Plain},
	}},
}

// fieldOf returns the field of m with a JSON name, nil for an unknown one.
func fieldOf(m message, name string) *field {
	fields := schema[m].fields
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

// protoNamed returns the field of m that name spells as the proto file does, nil
// when there is none.
func protoNamed(m message, name string) *field {
	fields := schema[m].fields
	for i := range fields {
		if fields[i].proto == name && name != "" {
			return &fields[i]
		}
	}
	return nil
}

// Field is a row of the presence table: what A2A 1.0 says about one field of a
// card.
type Field struct {
	Message   string // name of the message in the proto file
	Name      string // in JSON
	ProtoName string // in the proto file
	Type      string // as in the proto file: "string", "repeated AgentSkill", "map<string, string>"
	Presence  Presence
}

// Fields returns the presence table, message by message in the order of the field
// numbers.
func Fields() []Field {
	var out []Field
	for _, m := range schema {
		for _, f := range m.fields {
			row := Field{Message: m.name, Name: f.name, ProtoName: f.proto, Presence: f.presence}
			if row.ProtoName == "" {
				row.ProtoName = f.name
			}
			switch f.kind {
			case text:
				row.Type = "string"
			case flag:
				row.Type = "bool"
			case texts:
				row.Type = "repeated string"
			case single:
				row.Type = schema[f.of].name
			case list:
				row.Type = "repeated " + schema[f.of].name
			case textMap:
				row.Type = "map<string, string>"
			case singleMap:
				row.Type = "map<string, " + schema[f.of].name + ">"
			case structure:
				row.Type = "Struct"
			}
			out = append(out, row)
		}
	}
	return out
}
