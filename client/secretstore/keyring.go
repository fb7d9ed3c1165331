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
// the Credential Manager. It is not asked before it is used. Where it is reached over
// a session bus the environment must lead to one.
func System(getenv func(string) string) Keyring { return system{getenv} }

type system struct{ getenv func(string) string }

func (s system) Get(name string) (string, error) {
	if err := reachable(s.getenv); err != nil {
		return "", err
	}
	secret, err := keyring.Get(service, name)
	return secret, translate(err)
}

func (s system) Set(name, secret string) error {
	if err := reachable(s.getenv); err != nil {
		return err
	}
	return keyring.Set(service, name, secret)
}

func (s system) Delete(name string) error {
	if err := reachable(s.getenv); err != nil {
		return err
	}
	return translate(keyring.Delete(service, name))
}

func translate(err error) error {
	if errors.Is(err, keyring.ErrNotFound) {
		return ErrNone
	}
	return err
}
