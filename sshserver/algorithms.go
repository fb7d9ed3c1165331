package sshserver

import (
	"fmt"
	"slices"

	"golang.org/x/crypto/ssh"
)

// The algorithms that the server offers. None uses SHA-1, CBC or DSA. Finite-field Diffie-Hellman
// and P-521 are left out: a client that never authenticates could make the server spend five to
// fifty times the processor time of the others on each handshake, and OpenSSH has had the others
// since 2011.
var (
	keyExchanges = []string{
		ssh.KeyExchangeMLKEM768X25519, ssh.KeyExchangeCurve25519, ssh.KeyExchangeECDHP256, ssh.KeyExchangeECDHP384,
	}
	ciphers = []string{
		ssh.CipherAES128GCM, ssh.CipherAES256GCM, ssh.CipherChaCha20Poly1305, ssh.CipherAES128CTR, ssh.CipherAES192CTR,
		ssh.CipherAES256CTR,
	}
	macs = []string{ssh.HMACSHA256ETM, ssh.HMACSHA512ETM, ssh.HMACSHA256, ssh.HMACSHA512}
	// clientSignatures are the algorithms with which clients may prove their keys.
	clientSignatures = []string{
		ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521,
		ssh.KeyAlgoSKECDSA256, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256,
	}
	// hostSignatures are the algorithms with which the server proves its keys.
	hostSignatures = []string{
		ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoRSASHA512,
		ssh.KeyAlgoRSASHA256,
	}
)

// limitSignatures returns a host key that signs with hostSignatures only. An RSA key would also
// sign with SHA-1. It returns an error for a key that supports none of them.
func limitSignatures(key ssh.Signer) (ssh.Signer, error) {
	algorithms := []string{key.PublicKey().Type()}
	if algorithms[0] == ssh.KeyAlgoRSA {
		algorithms = []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256}
	}
	signer, isAlgorithmSigner := key.(ssh.AlgorithmSigner)
	if !isAlgorithmSigner || !slices.Contains(hostSignatures, algorithms[0]) {
		return nil, fmt.Errorf("the host key is of the type %s: use ed25519, ecdsa or rsa", algorithms[0])
	}
	return ssh.NewSignerWithAlgorithms(signer, algorithms)
}
