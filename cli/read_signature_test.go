package cli_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// signedBody is the body of an old delivery, signed with signingSecret.
const (
	signingSecret = "svc_whsec_0123456789abcdefghijklmnopqrstuvwxyz"
	signedBody    = `{"id":"evt_1","type":"test.event","version":1,` +
		`"occurred_at":"2026-01-02T03:04:05Z","data":{"message":"hello"}}`
)

func TestCheckSignatureSaysWhichPartIsWrong(t *testing.T) {
	secret, other := privateFile(t, signingSecret+"\n"), privateFile(t, signingSecret+"x")
	now := time.Now().Unix()
	right, old := signature(now, signedBody), signature(now-3600, signedBody)
	for _, c := range []struct {
		name, secret, header, body, says string
	}{
		{"another secret", other, right, signedBody, "no signature of the delivery matches a secret: another secret"},
		{"a changed body", secret, right, signedBody + " ", "or a body or time that was changed"},
		{"a line end too many", secret, right, signedBody + "\n", "without the final line end one does"},
		{"a line end too few", secret, signature(now, signedBody+"\n"), signedBody,
			"with a final line end one does"},
		{"an old one", secret, old, signedBody, "signed too long ago, or in the future: the signature is right"},
		{"a header without a time", secret, "v1=" + strings.Repeat("0a", 32), signedBody, "malformed: it has no t"},
		{"a header without a signature", secret, "t=1", signedBody, "has no v1 signature"},
		{"no event", secret, signature(now, "{}"), "{}", "is signed, but holds no event"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tarmac(t, nil, "webhooks", "check-signature", "--secret-file", c.secret, "--header", c.header, "--body",
				privateFile(t, c.body))
			refused(t, r, 1, c.says)
		})
	}
	for _, args := range [][]string{
		{"--secret-file", secret, "--secret-file", other, "--header", right},
		{"--secret-file", secret, "--header", " " + old + " ", "--tolerance", "2h"},
	} {
		args = append(append([]string{"webhooks", "check-signature"}, args...), "--body", privateFile(t, signedBody))
		if r := tarmac(t, nil, args...); r.code != 0 || r.stdout != "genuine  evt_1  test.event  hello\n" {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestASecretComesFromAFileThatItsReaderAloneCanRead(t *testing.T) {
	check := func(path string) result {
		return tarmac(t, nil, "webhooks", "check-signature", "--secret-file", path, "--header", "t=1", "--body",
			privateFile(t, "{}"))
	}
	open := privateFile(t, signingSecret)
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	if filepath.Separator == '/' {
		refused(t, check(open), 1, "chmod 600")
	}
	refused(t, check(filepath.Join(t.TempDir(), "none")), 1, "none")
	refused(t, check(t.TempDir()), 1, "is not a regular file")
	refused(t, check(privateFile(t, "svc_org_x")), 1, "does not begin with svc_whsec_")
	refused(t, check(privateFile(t, strings.Repeat("x", 10<<10))), 1, "larger than")
	refused(t, tarmac(t, nil, "webhooks", "check-signature", "--header", "t=1"), 2, "--secret-file is missing")
	refused(t, tarmac(t, nil, "webhooks", "check-signature", "--secret-file", open), 2, "--header is missing")
}

// signature signs a body (docs/api.md, Signature): HMAC-SHA256 of t.body.
func signature(at int64, body string) string {
	t := strconv.FormatInt(at, 10)
	mac := hmac.New(sha256.New, []byte(signingSecret))
	mac.Write([]byte(t + "." + body))
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}
