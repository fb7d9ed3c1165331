package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tarmac/service/access"
)

// SecretPrefix is the start of every signing secret (docs/api.md, Webhook endpoint).
const SecretPrefix = "svc_whsec_"

const secretLength = 32

// NewSecret returns a new signing secret: SecretPrefix and 32 random characters, which are 190
// random bits.
func NewSecret(entropy io.Reader) (string, error) {
	random, err := access.RandomText(entropy, secretLength)
	if err != nil {
		return "", fmt.Errorf("making a signing secret: %w", err)
	}
	return SecretPrefix + random, nil
}

// HTTP headers of webhook deliveries (docs/api.md, Delivery).
const (
	SignatureHeader  = "X-Service-Signature"
	EventIDHeader    = "X-Service-Event-Id"
	EventTypeHeader  = "X-Service-Event-Type"
	DeliveryIDHeader = "X-Service-Delivery-Id"
	AttemptHeader    = "X-Service-Attempt"
)

// Sign returns the value of the signature header for a body that is sent at the given time. It has
// the form "t=<unix seconds>,v1=<hex>", with one v1 for each secret, in the given order. The newest
// secret should come first. The HMAC key is the whole secret including its prefix (docs/api.md,
// Signature).
func Sign(at time.Time, body []byte, secrets ...string) string {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	var header strings.Builder
	header.WriteString("t=" + timestamp)
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = io.WriteString(mac, timestamp+".")
		_, _ = mac.Write(body)
		header.WriteString(",v1=" + hex.EncodeToString(mac.Sum(nil)))
	}
	return header.String()
}
