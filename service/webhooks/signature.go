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
)

// SecretPrefix begins every signing secret (specification 4.15).
const SecretPrefix = "svc_whsec_"

const secretLength = 32

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NewSecret returns a new signing secret: its prefix and 32 random characters,
// which are 190 bits.
func NewSecret(entropy io.Reader) (string, error) {
	secret := make([]byte, 0, len(SecretPrefix)+secretLength)
	secret = append(secret, SecretPrefix...)
	var b [64]byte
	for len(secret) < cap(secret) {
		if _, err := io.ReadFull(entropy, b[:]); err != nil {
			return "", fmt.Errorf("making a signing secret: %w", err)
		}
		for _, c := range b {
			// 248 is the last multiple of 62 in a byte: what is above would favour some characters.
			if c < 248 && len(secret) < cap(secret) {
				secret = append(secret, base62[c%62])
			}
		}
	}
	return string(secret), nil
}

// The headers of a delivery (decision 1.4).
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
// (specification 5, decision 1.4).
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
