package backupfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"filippo.io/age"
)

const (
	// intro is the beginning of every file of age.
	intro = "age-encryption.org/v1\n"
	// workFactor is the logarithm of the cost of trying a passphrase: 256 MB of memory and about a
	// second. A file that asks for more is refused.
	workFactor = 18
	// maxHeader is more than the header of a file that is sealed with a passphrase.
	maxHeader = 1 << 10
)

// ErrPassphrase is the error for a wrong passphrase.
var ErrPassphrase = errors.New("that is not its passphrase")

// Seal returns a writer that seals what is written to it with a passphrase. Closing it completes
// the file and leaves w open.
func Seal(w io.Writer, passphrase string) (io.WriteCloser, error) {
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, err
	}
	recipient.SetWorkFactor(workFactor)
	return age.Encrypt(w, recipient)
}

// IsSealed reports whether the file that begins with the next bytes of r is sealed.
func IsSealed(r *bufio.Reader) bool {
	start, _ := r.Peek(len(intro))
	return string(start) == intro
}

// Unseal returns a reader of what is sealed in r. Reading from it fails if the file was changed or
// cut short.
func Unseal(r *bufio.Reader, passphrase string) (io.Reader, error) {
	// The parser of the header has no bound of its own.
	header, _ := r.Peek(maxHeader)
	end := bytes.Index(header, []byte("\n--- "))
	if end < 0 || !bytes.Contains(header[:end], []byte("\n-> scrypt ")) {
		return nil, damaged("it is not sealed with a passphrase, or was changed")
	}
	identity, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, err
	}
	identity.SetMaxWorkFactor(workFactor)
	plain, err := age.Decrypt(r, identity)
	switch {
	case errors.As(err, new(*age.NoIdentityMatchError)):
		return nil, ErrPassphrase
	case err != nil:
		return nil, damaged("it was cut short or changed")
	}
	return plain, nil
}
