package webhooks_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"tarmac/service/webhooks"
)

func TestSecretsAreUniqueAndEvenlyDistributed(t *testing.T) {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	seen, counts := map[string]bool{}, map[rune]int{}
	const made = 2000
	for range made {
		secret, err := webhooks.NewSecret(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		random, ok := strings.CutPrefix(secret, "svc_whsec_")
		if !ok || len(random) != 32 || strings.Trim(random, alphabet) != "" || seen[secret] {
			t.Fatalf("%q does not have the form of a secret, or came twice", secret)
		}
		seen[secret] = true
		for _, c := range random {
			counts[c]++
		}
	}
	// The mean is 1032 with a standard deviation of 32. Taking a random byte modulo 62 would
	// give the first eight characters a quarter more.
	for _, c := range alphabet {
		if counts[c] < 800 || counts[c] > 1230 {
			t.Errorf("%q came %d times", c, counts[c])
		}
	}
}

func TestSecretsNeedEntropy(t *testing.T) {
	if secret, err := webhooks.NewSecret(iotest.ErrReader(io.ErrUnexpectedEOF)); err == nil {
		t.Errorf("made %q of nothing", secret)
	}
	// Rejected bytes do not shorten the secret.
	entropy := io.MultiReader(bytes.NewReader(bytes.Repeat([]byte{255}, 640)), bytes.NewReader(make([]byte, 64)))
	if secret, err := webhooks.NewSecret(entropy); err != nil || secret != "svc_whsec_"+strings.Repeat("0", 32) {
		t.Errorf("%q, %v", secret, err)
	}
}

// The expected signatures are the output of this command for each $secret:
//
//	printf '%s' '1795262400.{"id":"evt_1","type":"test.event"}' |
//		openssl dgst -sha256 -hmac "$secret"
func TestSignaturesMatchThoseOfOpenSSL(t *testing.T) {
	const (
		newer = "svc_whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV"
		older = "svc_whsec_abcdefghijklmnopqrstuvwxyz012345"
		body  = `{"id":"evt_1","type":"test.event"}`
		one   = "t=1795262400,v1=1d545c1cbf8a0aad952929ac0539edde11a1fe70ac796d25f6c3c8480d5a79dc"
		two   = one + ",v1=4df4840f5b68d0a1960bfb734c67deb0beb0601e04fc307cb2f661ac909a471c"
	)
	at := time.Unix(1795262400, 999_999_999)
	if got := webhooks.Sign(at, []byte(body), newer); got != one {
		t.Errorf("one secret:\n%s, want\n%s", got, one)
	}
	if got := webhooks.Sign(at.In(time.FixedZone("", 3600)), []byte(body), newer, older); got != two {
		t.Errorf("two secrets:\n%s, want\n%s", got, two)
	}
}

// A receiver that follows the rules accepts a signature with either secret, and with no
// other secret, body or time (docs/api.md, Signature).
func TestSignaturesVerifyWithEitherSecretOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 1<<35).Draw(t, "at"), 0)
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		secrets := rapid.SliceOfNDistinct(
			rapid.StringMatching(`svc_whsec_[0-9A-Za-z]{32}`), 3, 3, rapid.ID,
		).Draw(t, "secrets")
		header := webhooks.Sign(at, body, secrets[:2]...)
		for i, secret := range secrets {
			if verify(header, secret, at, body) != (i < 2) {
				t.Fatalf("secret %d of %s", i, header)
			}
		}
		if verify(header, secrets[0], at, append(body, '}')) || verify(header, secrets[0], at.Add(time.Second), body) {
			t.Fatal("another body or time passes")
		}
	})
}

func verify(header, secret string, at time.Time, body []byte) bool {
	moment, rest, _ := strings.Cut(header, ",")
	if moment != fmt.Sprintf("t=%d", at.Unix()) {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%s", strconv.FormatInt(at.Unix(), 10), body)
	want := hex.EncodeToString(mac.Sum(nil))
	for part := range strings.SplitSeq(rest, ",") {
		if part == "v1="+want {
			return true
		}
	}
	return false
}
