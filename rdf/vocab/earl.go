package vocab

// Evaluation and Report Language 1.0 (namespace earl:), as far as reports of
// conformance use it.
const (
	EARL = "http://www.w3.org/ns/earl#"

	EARLAssertion  = EARL + "Assertion"
	EARLSoftware   = EARL + "Software"
	EARLTestResult = EARL + "TestResult"

	EARLAssertedBy = EARL + "assertedBy"
	EARLSubject    = EARL + "subject"
	EARLTest       = EARL + "test"
	EARLMode       = EARL + "mode"
	EARLResult     = EARL + "result"
	EARLOutcome    = EARL + "outcome"

	EARLAutomatic = EARL + "automatic"
	EARLPassed    = EARL + "passed"
	EARLFailed    = EARL + "failed"
)
