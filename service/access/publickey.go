package access

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// minRSABits is the smallest size of an RSA key that ParsePublicKey accepts.
const minRSABits = 3072

// publicKeyAlgorithms lists the algorithms of public keys that ParsePublicKey accepts.
var publicKeyAlgorithms = [...]string{
	ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521,
	ssh.KeyAlgoSKECDSA256, ssh.KeyAlgoRSA,
}

// ParsePublicKey parses the content of a public key's file, such as id_ed25519.pub: one line with
// the algorithm, the key and an optional comment. It refuses private keys, several keys, options,
// certificates, weak algorithms and short RSA keys. Errors do not repeat the content.
func ParsePublicKey(content string) (ssh.PublicKey, error) {
	var line string
	for candidate := range strings.Lines(content) {
		candidate = strings.TrimSpace(candidate)
		switch {
		case strings.Contains(candidate, "PRIVATE KEY"):
			return nil, errors.New("this is a private key, which must stay where it is: give its public key, " +
				"the file that ends in .pub")
		case strings.Contains(candidate, "BEGIN"):
			return nil, errors.New("this key is not in OpenSSH's format: convert it with `ssh-keygen -i -f FILE`")
		case candidate == "" || strings.HasPrefix(candidate, "#"):
		case line != "":
			return nil, errors.New("there is more than one key: add each key on its own")
		default:
			line = candidate
		}
	}
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(line))
	switch {
	case err != nil:
		return nil, errors.New("this is not a public key: it must be a line such as \"ssh-ed25519 AAAA… ada@laptop\", " +
			"as in a file that ends in .pub")
	case len(options) > 0:
		return nil, errors.New("options before the key, such as from= or expiry-time=, have no effect here: " +
			"remove them, and limit the key with --scope and --expires")
	}
	return key, checkPublicKey(key)
}

func checkPublicKey(key ssh.PublicKey) error {
	if _, ok := key.(*ssh.Certificate); ok {
		return errors.New("this is a certificate: add the public key that it certifies")
	}
	if !slices.Contains(publicKeyAlgorithms[:], key.Type()) {
		return fmt.Errorf("keys of the type %s are not accepted: make one with `ssh-keygen -t ed25519`", key.Type())
	}
	if key.Type() != ssh.KeyAlgoRSA {
		return nil
	}
	wrapped, ok := key.(ssh.CryptoPublicKey)
	if !ok {
		return errors.New("the size of this RSA key is unknown")
	}
	bits := 0
	if public, ok := wrapped.CryptoPublicKey().(*rsa.PublicKey); ok {
		bits = public.N.BitLen()
	}
	if bits < minRSABits {
		return fmt.Errorf("this RSA key has %d bits, and at least %d are needed: make one with `ssh-keygen -t ed25519`",
			bits, minRSABits)
	}
	return nil
}
