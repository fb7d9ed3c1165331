package sshd

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"golang.org/x/crypto/ssh"

	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// maxHostKey is the maximum size of a file with a host key, in bytes.
const maxHostKey = 64 << 10

// loadHostKey returns the private key in a file, with which clients recognize the server. If the
// file does not exist, loadHostKey creates it with a new key.
func loadHostKey(path string, logger *slog.Logger) (ssh.Signer, error) {
	content, err := privatefile.Read(path, maxHostKey)
	if errors.Is(err, fs.ErrNotExist) {
		if content, err = createHostKey(path); err == nil {
			logger.Info("the host key was created", "file", path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the host key: %w", err)
	}
	key, err := ssh.ParsePrivateKey(content)
	var encrypted *ssh.PassphraseMissingError
	if errors.As(err, &encrypted) {
		return nil, fmt.Errorf("the host key in %s has a passphrase, which a server cannot type: remove it with "+
			"`ssh-keygen -p -f`, or name another file", termtext.Line(path))
	}
	if err != nil {
		return nil, fmt.Errorf("%s holds no private key of OpenSSH: name another file, or one that does not exist to "+
			"have a key created", termtext.Line(path))
	}
	return key, nil
}

func createHostKey(path string) ([]byte, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(key, "tarmac")
	if err != nil {
		return nil, err
	}
	content := pem.EncodeToMemory(block)
	return content, privatefile.Create(path, content)
}
