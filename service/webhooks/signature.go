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

// SecretPrefix begins every signing secret (docs/api.md, Webhook endpoint).
const SecretPrefix = "svc_whsec_"

const secretLength = 32

// NewSecret returns a new signing secret: its prefix and 32 random characters,
// which are 190 bits.
func NewSecret(entropy io.Reader) (string, error) {
	random, err := access.RandomText(entropy, secretLength)
	if err != nil {
		return "", fmt.Errorf("making a signing secret: %w", err)
	}
	return SecretPrefix + random, nil
}

// The headers of a delivery (docs/api.md, Delivery).
const (
	SignatureHeader  = "X-Service-Signature"
	EventIDHeader    = "X-Service-Event-Id"
	EventTypeHeader  = "X-Service-Event-Type"
	DeliveryIDHeader = "X-Service-Delivery-Id"
	AttemptHeader    = "X-Service-Attempt"
)

// Sign returns the signature header of a body that is sent at the given moment:
// "t=<unix seconds>,v1=<hex>", with one v1 for each secret, in their order; the
// newest goes first. The key is the whole secret, its prefix included
// (docs/api.md, Signature).
func Sign(at time.Time, body []byte, secrets ...string) string {
	moment := strconv.FormatInt(at.Unix(), 10)
	var header strings.Builder
	header.WriteString("t=" + moment)
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = io.WriteString(mac, moment+".")
		_, _ = mac.Write(body)
		header.WriteString(",v1=" + hex.EncodeToString(mac.Sum(nil)))
	}
	return header.String()
}
