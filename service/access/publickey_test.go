package access_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"math/big"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"tarmac/service/access"
)

// authorizedLine returns a public key as in the file that ssh-keygen makes.
func authorizedLine(t testing.TB, public any) string {
	t.Helper()
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(key))
}

func ed25519Line(t testing.TB) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return authorizedLine(t, public)
}

// rsaLine returns a public key of the given size that no private key belongs to.
func rsaLine(t testing.TB, bits uint) string {
	t.Helper()
	n := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), bits-1), big.NewInt(1))
	return authorizedLine(t, &rsa.PublicKey{N: n, E: 65537})
}

// dsaLine returns a DSA key as in the file that old versions of ssh-keygen made.
func dsaLine() string {
	one := big.NewInt(1)
	blob := ssh.Marshal(struct {
		Name       string
		P, Q, G, Y *big.Int
	}{"ssh-dss", new(big.Int).Lsh(one, 1023), new(big.Int).Lsh(one, 159), big.NewInt(2), big.NewInt(5)})
	return "ssh-dss " + base64.StdEncoding.EncodeToString(blob) + "\n"
}

// Made with ssh-keygen -t ed25519-sk; the authenticator is not needed to read it.
const securityKeyLine = "sk-ssh-ed25519@openssh.com " +
	"AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAICFo/k5LU8863u66YC9eUO2170QduohPURkQnbLa/dczAAAABHNzaDo= ada@laptop\n"

func TestPublicKeysAreReadFromTheirFile(t *testing.T) {
	line := ed25519Line(t)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		line: "ssh-ed25519", "\n# Ada's\r\n  " + strings.TrimSpace(line) + " ada@laptop\r\n\n": "ssh-ed25519",
		authorizedLine(t, &curve.PublicKey): "ecdsa-sha2-nistp256", rsaLine(t, 3072): "ssh-rsa",
		securityKeyLine: "sk-ssh-ed25519@openssh.com",
	} {
		key, err := access.ParsePublicKey(content)
		if err != nil || key.Type() != want {
			t.Errorf("%q: %v, %v; want %s", content, key, err, want)
		}
	}
}

func TestWhatIsNoSafePublicKeyIsRefusedWithAdvice(t *testing.T) {
	line := ed25519Line(t)
	for name, refused := range map[string]struct{ content, says string }{
		"nothing":         {"", "not a public key"},
		"another text":    {"hello world", "not a public key"},
		"a cut key":       {line[:40], "not a public key"},
		"another type":    {"ssh-rsa" + strings.TrimPrefix(line, "ssh-ed25519"), "not a public key"},
		"two keys":        {line + ed25519Line(t), "more than one key"},
		"from=":           {`from="10.0.0.0/8" ` + line, "options before the key"},
		"restrict":        {"restrict " + line, "options before the key"},
		"expiry-time=":    {`expiry-time="20270101" ` + line, "options before the key"},
		"an authority":    {"cert-authority " + line, "options before the key"},
		"a short RSA key": {rsaLine(t, 2048), "this RSA key has 2048 bits, and at least 3072 are needed"},
		"DSA":             {dsaLine(), "ssh-dss are not accepted"},
		"a private key":   {"-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n", "the file that ends in .pub"},
		"RFC 4716":        {"---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n", "ssh-keygen -i"},
		"a certificate":   {certificateLine(t), "add the public key that it certifies"},
	} {
		_, err := access.ParsePublicKey(refused.content)
		if err == nil || !strings.Contains(err.Error(), refused.says) || strings.Contains(err.Error(), "c2VjcmV0") {
			t.Errorf("%s: %v; want %q", name, err, refused.says)
		}
	}
}

// certificateLine returns a certificate as in a file that ssh-keygen -s makes.
func certificateLine(t testing.TB) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	certificate := &ssh.Certificate{Key: key, CertType: ssh.UserCert, ValidBefore: ssh.CertTimeInfinity}
	if err := certificate.SignCert(rand.Reader, signer); err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(certificate))
}

func FuzzParsePublicKey(f *testing.F) {
	f.Add(ed25519Line(f))
	f.Add(`from="10.0.0.0/8",restrict ` + securityKeyLine)
	f.Add(certificateLine(f))
	f.Fuzz(func(t *testing.T, content string) {
		key, err := access.ParsePublicKey(content)
		if err != nil {
			return
		}
		again, err := access.ParsePublicKey(string(ssh.MarshalAuthorizedKey(key)))
		if err != nil || ssh.FingerprintSHA256(again) != ssh.FingerprintSHA256(key) {
			t.Errorf("%q became another key: %v", content, err)
		}
	})
}
