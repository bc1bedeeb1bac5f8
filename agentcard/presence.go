package agentcard

// presence says when a field is part of a card (A2A 1.0, sections 5.7 and 8.4.1).
type presence uint8

// The classes of presence.
const (
	plain    presence = iota // with its default value the field counts as absent
	optional                 // declared optional: present when it was set, also to the default
	oneof                    // member of a oneof: at most one of them is present
	required                 // marked REQUIRED: part of the card whatever its value
)

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
	presence presence
}

// schema is a2a.proto of A2A 1.0, as far as cards go, each message in the order of
// its field numbers.
var schema = [noMessage]struct {
	name   string
	fields []field
}{
	agentCard: {"AgentCard", []field{
		{"name", "", text, noMessage, required},
		{"description", "", text, noMessage, required},
		{"supportedInterfaces", "supported_interfaces", list, agentInterface, required},
		{"provider", "", single, agentProvider, plain},
		{"version", "", text, noMessage, required},
		{"documentationUrl", "documentation_url", text, noMessage, optional},
		{"capabilities", "", single, agentCapabilities, required},
		{"securitySchemes", "security_schemes", singleMap, securityScheme, plain},
		{"securityRequirements", "security_requirements", list, securityRequirement, plain},
		{"defaultInputModes", "default_input_modes", texts, noMessage, required},
		{"defaultOutputModes", "default_output_modes", texts, noMessage, required},
		{"skills", "", list, agentSkill, required},
		{"signatures", "", list, agentCardSignature, plain},
		{"iconUrl", "icon_url", text, noMessage, optional},
	}},
	agentInterface: {"AgentInterface", []field{
		{"url", "", text, noMessage, required},
		{"protocolBinding", "protocol_binding", text, noMessage, required},
		{"tenant", "", text, noMessage, plain},
		{"protocolVersion", "protocol_version", text, noMessage, required},
	}},
	agentProvider: {"AgentProvider", []field{
		{"url", "", text, noMessage, required},
		{"organization", "", text, noMessage, required},
	}},
	agentCapabilities: {"AgentCapabilities", []field{
		{"streaming", "", flag, noMessage, optional},
		{"pushNotifications", "push_notifications", flag, noMessage, optional},
		{"extensions", "", list, agentExtension, plain},
		{"extendedAgentCard", "extended_agent_card", flag, noMessage, optional},
	}},
	agentExtension: {"AgentExtension", []field{
		{"uri", "", text, noMessage, plain},
		{"description", "", text, noMessage, plain},
		{"required", "", flag, noMessage, plain},
		{"params", "", structure, noMessage, plain},
	}},
	agentSkill: {"AgentSkill", []field{
		{"id", "", text, noMessage, required},
		{"name", "", text, noMessage, required},
		{"description", "", text, noMessage, required},
		{"tags", "", texts, noMessage, required},
		{"examples", "", texts, noMessage, plain},
		{"inputModes", "input_modes", texts, noMessage, plain},
		{"outputModes", "output_modes", texts, noMessage, plain},
		{"securityRequirements", "security_requirements", list, securityRequirement, plain},
	}},
	securityRequirement: {"SecurityRequirement", []field{
		{"schemes", "", singleMap, stringList, plain},
	}},
	stringList: {"StringList", []field{
		{"list", "", texts, noMessage, plain},
	}},
	securityScheme: {"SecurityScheme", []field{
		{"apiKeySecurityScheme", "api_key_security_scheme", single, apiKeyScheme, oneof},
		{"httpAuthSecurityScheme", "http_auth_security_scheme", single, httpAuthScheme, oneof},
		{"oauth2SecurityScheme", "oauth2_security_scheme", single, oauth2Scheme, oneof},
		{"openIdConnectSecurityScheme", "open_id_connect_security_scheme", single, openIDScheme, oneof},
		{"mtlsSecurityScheme", "mtls_security_scheme", single, mutualTLSScheme, oneof},
	}},
	apiKeyScheme: {"APIKeySecurityScheme", []field{
		{"description", "", text, noMessage, plain},
		{"location", "", text, noMessage, required},
		{"name", "", text, noMessage, required},
	}},
	httpAuthScheme: {"HTTPAuthSecurityScheme", []field{
		{"description", "", text, noMessage, plain},
		{"scheme", "", text, noMessage, required},
		{"bearerFormat", "bearer_format", text, noMessage, plain},
	}},
	oauth2Scheme: {"OAuth2SecurityScheme", []field{
		{"description", "", text, noMessage, plain},
		{"flows", "", single, oauthFlows, required},
		{"oauth2MetadataUrl", "oauth2_metadata_url", text, noMessage, plain},
	}},
	openIDScheme: {"OpenIdConnectSecurityScheme", []field{
		{"description", "", text, noMessage, plain},
		{"openIdConnectUrl", "open_id_connect_url", text, noMessage, required},
	}},
	mutualTLSScheme: {"MutualTlsSecurityScheme", []field{
		{"description", "", text, noMessage, plain},
	}},
	oauthFlows: {"OAuthFlows", []field{
		{"authorizationCode", "authorization_code", single, authorizationCodeFlow, oneof},
		{"clientCredentials", "client_credentials", single, clientCredentialsFlow, oneof},
		{"implicit", "", single, implicitFlow, oneof},
		{"password", "", single, passwordFlow, oneof},
		{"deviceCode", "device_code", single, deviceCodeFlow, oneof},
	}},
	authorizationCodeFlow: {"AuthorizationCodeOAuthFlow", []field{
		{"authorizationUrl", "authorization_url", text, noMessage, required},
		{"tokenUrl", "token_url", text, noMessage, required},
		{"refreshUrl", "refresh_url", text, noMessage, plain},
		{"scopes", "", textMap, noMessage, required},
		{"pkceRequired", "pkce_required", flag, noMessage, plain},
	}},
	clientCredentialsFlow: {"ClientCredentialsOAuthFlow", []field{
		{"tokenUrl", "token_url", text, noMessage, required},
		{"refreshUrl", "refresh_url", text, noMessage, plain},
		{"scopes", "", textMap, noMessage, required},
	}},
	implicitFlow: {"ImplicitOAuthFlow", []field{
		{"authorizationUrl", "authorization_url", text, noMessage, plain},
		{"refreshUrl", "refresh_url", text, noMessage, plain},
		{"scopes", "", textMap, noMessage, plain},
	}},
	passwordFlow: {"PasswordOAuthFlow", []field{
		{"tokenUrl", "token_url", text, noMessage, plain},
		{"refreshUrl", "refresh_url", text, noMessage, plain},
		{"scopes", "", textMap, noMessage, plain},
	}},
	deviceCodeFlow: {"DeviceCodeOAuthFlow", []field{
		{"deviceAuthorizationUrl", "device_authorization_url", text, noMessage, required},
		{"tokenUrl", "token_url", text, noMessage, required},
		{"refreshUrl", "refresh_url", text, noMessage, plain},
		{"scopes", "", textMap, noMessage, required},
	}},
	agentCardSignature: {"AgentCardSignature", []field{
		{"protected", "", text, noMessage, required},
		{"signature", "", text, noMessage, required},
		{"header", "", structure, noMessage, plain},
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

// protoNamed returns the field of m whose name in the proto file is name, nil when there
// is none or the two names are the same.
func protoNamed(m message, name string) *field {
	fields := schema[m].fields
	for i := range fields {
		if fields[i].proto == name && name != "" {
			return &fields[i]
		}
	}
	return nil
}
