package vocab

// Bitstring Status List 1.0 (namespace status:).
const (
	Status = "https://www.w3.org/ns/credentials/status#"

	StatusBitstringStatusListCredential = Status + "BitstringStatusListCredential"
	StatusBitstringStatusList           = Status + "BitstringStatusList"
	StatusBitstringStatusListEntry      = Status + "BitstringStatusListEntry"
	StatusStatusPurpose                 = Status + "statusPurpose"
	StatusStatusListIndex               = Status + "statusListIndex"
	StatusStatusListCredential          = Status + "statusListCredential"
	StatusStatusSize                    = Status + "statusSize"
	StatusEncodedList                   = Status + "encodedList"
)
