package vocab

// The a2a-rdf extension (namespace a2a:).
const (
	A2A = "https://w3id.org/jeswr/a2a#"

	A2AProtocolDocument = A2A + "ProtocolDocument"
	A2ARequestShape     = A2A + "requestShape"
	A2AResponseShape    = A2A + "responseShape"

	A2AUpgradeOffer    = A2A + "UpgradeOffer"
	A2AUpgradeResponse = A2A + "UpgradeResponse"
	A2AProtocolHash    = A2A + "protocolHash"
	A2AProtocolSource  = A2A + "protocolSource"
	A2AProtocolName    = A2A + "protocolName"
	A2ARequired        = A2A + "required"
	A2AAccept          = A2A + "accept"
	A2AReason          = A2A + "reason"

	A2AIntent          = A2A + "Intent"
	A2AAction          = A2A + "action"
	A2AParameterClass  = A2A + "Parameter"
	A2AParameter       = A2A + "parameter"
	A2AParamKey        = A2A + "paramKey"
	A2AParamValue      = A2A + "paramValue"
	A2AMode            = A2A + "mode"
	A2AAppendAction    = A2A + "AppendAction"
	A2AListAction      = A2A + "ListAction"
	A2AGrantAction     = A2A + "GrantAction"
	A2ASubscribeAction = A2A + "SubscribeAction"
	A2AQueryAction     = A2A + "QueryAction"
)
