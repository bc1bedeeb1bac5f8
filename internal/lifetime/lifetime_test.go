package lifetime_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rdfproto/rdfproto/internal/lifetime"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"exp", "EXP", "Exp", "nbf", "expires", "expires_at", "expiresAt", "EXPIRES-AT", "expiry", "expirationDate",
		"revoked", "revoked_at", "revocation", "deactivated", "Deactivated", "inactive", "disabled", "suspended", "compromised",
		"until", "valid_until", "validUntil", "valid-from", "valid_to", "valid through", "validity",
		"not_after", "notAfter", "not-before", "status", "Status",
		"https://w3id.org/security#revoked", "https://w3id.org/security#expiration", "https://schema.org/validThrough/",
		"https://example.org/exp", "urn:example:exp", "https://example.org/ns#not_after", "ends_at", "endDate", "end", "deadline", "active", "ttl", "max_age", "isActive", "is_valid", "is-enabled",
		"withdrawn", "withdrawnAt", "withdrawal_date", "cancelled", "canceled_at", "terminated", "terminationDate", "retired", "retires-at",
		"invalid", "invalidatedAt", "superseded", "supersededBy", "isReplacedBy", "lapsed", "lapsedAt", "https://example.org/ns#withdrawn", "http://purl.org/dc/terms/isReplacedBy",
		"deprecated", "http://www.w3.org/2002/07/owl#deprecated", "rescinded_at", "annulled", "discontinuedOn",
	} {
		assert.True(t, lifetime.Limits(name), name)
	}
	// A name that is too long to be looked through, alone or as the last part of an IRI.
	long := strings.Repeat("x", 256)
	for _, prefix := range []string{"", "urn:", "https://example.org/" + long + "/", "https://example.org/ns#"} {
		assert.False(t, lifetime.Limits(prefix+long), prefix)
		assert.True(t, lifetime.Limits(prefix+long+"x"), prefix)
		assert.True(t, lifetime.Limits(prefix+long[:249]+"revoked"), prefix)
	}
	for _, name := range []string{
		"", "kid", "kty", "crv", "x", "alg", "use", "key_ops", "x5c", "x5t#S256", "iat", "by", "scope", "note", "credential",
		"http://xmlns.com/foaf/0.1/status", "https://schema.org/endDate", "append", "activity", "experience", "export", "explanation", "credentialStatus", "https://www.w3.org/2018/credentials#credentialStatus",
		"https://revoked.example/ns#name", "https://exp.example/name", "created", "description", "elapsedTime", "prevOwner", "supersedes", "replaces", "determined", "annual", "annular",
	} {
		assert.False(t, lifetime.Limits(name), name)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"https://schema.org/endDate", "https://www.w3.org/ns/activitystreams#endTime", "http://purl.org/dc/terms/valid", "https://schema.org/validFor",
		"http://www.w3.org/2006/time#hasEnd", "https://w3id.org/idsa/core/contractEnd", "https://example.org/ns#policy_end_date", "https://example.org/is_active",
		"https://schema.org/validThrough", "urn:example:withdrawn", "end_date",
	} {
		assert.True(t, lifetime.Bounds(name), name)
	}
	for _, name := range []string{
		"http://www.w3.org/ns/adms#status", "http://purl.org/dc/terms/issued", "http://purl.org/dc/terms/modified", "http://purl.org/dc/terms/available", "http://purl.org/dc/terms/replaces",
		"https://schema.org/startDate", "https://schema.org/validIn", "http://www.w3.org/2004/02/skos/core#note", "https://ends.example/ns#name", "https://example.org/validFormat", "https://example.org/backend", "https://w3id.org/idsa/core/contractStart",
	} {
		assert.False(t, lifetime.Bounds(name), name)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for property, value := range map[string]string{
		"http://www.w3.org/ns/adms#status": "http://purl.org/adms/status/Withdrawn", "https://w3id.org/dpv#hasConsentStatus": "https://w3id.org/dpv#ConsentRevoked",
		"status": "expired", "https://example.org/ns#policy_status": "Suspended", "https://w3id.org/dspace/2024/1/state": "https://w3id.org/dspace/2024/1/TERMINATED",
	} {
		assert.True(t, lifetime.Status(property) && lifetime.Over(value), property)
	}
	for _, status := range []string{
		"https://w3id.org/dpv#ConsentRefused", "https://w3id.org/dpv#ConsentRequested", "https://w3id.org/dpv#ConsentRequestDeferred", "https://w3id.org/dpv#ConsentUnknown",
		"https://w3id.org/dpv#ContractUnderNegotiation", "https://w3id.org/dpv#ContractUnderReview", "http://purl.org/adms/status/UnderDevelopment",
		"http://purl.org/ontology/bibo/status/draft", "http://purl.org/ontology/bibo/status/rejected", "in draft", "Under Development", "pending", "in negotiation",
	} {
		assert.True(t, lifetime.Over(status), status)
	}
	for _, status := range []string{
		"https://w3id.org/dpv#RenewedConsentGiven", "https://w3id.org/dpv#ContractExtended", "https://w3id.org/dpv#ContractSignedByParty", "http://purl.org/ontology/bibo/status/published",
		"https://requested.example/status/final", "stable", "in force", "negotiated",
	} {
		assert.False(t, lifetime.Over(status), status)
	}
	for property, value := range map[string]string{
		"http://www.w3.org/ns/adms#status": "http://purl.org/adms/status/Completed", "https://w3id.org/dpv#hasConsentStatus": "https://w3id.org/dpv#ConsentGiven",
		"https://w3id.org/dspace/2024/1/state": "https://w3id.org/dspace/2024/1/FINALIZED", "https://example.org/ns#estate": "house",
		"status": "active", "Status": "valid", "http://xmlns.com/foaf/0.1/status": "at home", "http://purl.org/dc/terms/title": "What was withdrawn",
	} {
		assert.False(t, lifetime.Status(property) && lifetime.Over(value), property)
	}
}

func TestLasts(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]bool{
		"revoked": false, "is_revoked": false, "Deactivated": false, "https://w3id.org/security#deactivated": false, "suspended": false, "expired": false,
		"withdrawn": false, "is-cancelled": false, "canceled": false, "terminated": false, "retired": false, "invalid": false, "superseded": false, "lapsed": false,
		"http://www.w3.org/2002/07/owl#deprecated": false, "is_rescinded": false, "annulled": false, "discontinued": false,
		"active": true, "isActive": true, "enabled": true, "is-valid": true,
	} {
		assert.True(t, lifetime.Limits(name), name)
		assert.True(t, lifetime.Lasts(name, value), name)
		assert.False(t, lifetime.Lasts(name, !value), name)
	}
	for _, name := range []string{"", "is", "nonExpired", "notRevoked", "unrevoked", "expires", "validity", "validUntil", "status", "exp"} {
		assert.False(t, lifetime.Lasts(name, true) || lifetime.Lasts(name, false), name)
	}
}

func TestPerpetual(t *testing.T) {
	t.Parallel()
	assert.True(t, lifetime.Perpetual("https://dalicc.poolparty.biz/DALICC/validityType", "https://dalicc.poolparty.biz/DALICC/perpetual"))
	assert.True(t, lifetime.Perpetual("valid_until", "Indefinite"))
	for name, value := range map[string]string{"validityType": "limited", "validUntil": "2030-01-01", "suspended": "indefinite", "valid": ""} {
		assert.False(t, lifetime.Perpetual(name, value), name)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"expires_at", "expiresAt", "Expires-At", "EXPIRES.AT", "expires at", "expiresat"} {
		assert.Equal(t, "expiresat", lifetime.Plain(name))
	}
}
