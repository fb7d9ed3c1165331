package secretstore

import (
	"errors"

	"github.com/zalando/go-keyring"
)

// Keyring keeps secrets by name. Get and Delete of a name that it does not have
// return ErrNone. It is used from one goroutine at a time, or from none that still
// waits for it.
type Keyring interface {
	Get(name string) (string, error)
	Set(name, secret string) error
	Delete(name string) error
}

// service is what the program's secrets are filed under.
const service = "tarmac"

// System returns the keyring of the operating system: Secret Service, Keychain or
// the Credential Manager. It is not asked before it is used.
func System() Keyring { return system{} }

type system struct{}

func (system) Get(name string) (string, error) {
	secret, err := keyring.Get(service, name)
	return secret, translate(err)
}

func (system) Set(name, secret string) error { return keyring.Set(service, name, secret) }

func (system) Delete(name string) error { return translate(keyring.Delete(service, name)) }

func translate(err error) error {
	if errors.Is(err, keyring.ErrNotFound) {
		return ErrNone
	}
	return err
}
