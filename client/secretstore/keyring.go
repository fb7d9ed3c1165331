package secretstore

import (
	"errors"

	"github.com/zalando/go-keyring"
)

// Keyring stores secrets by name. Get and Delete return ErrNone for an unknown name. A Store calls
// it from one goroutine at a time. After a call has timed out, the Store never calls it again.
type Keyring interface {
	Get(name string) (string, error)
	Set(name, secret string) error
	Delete(name string) error
}

// service is the name under which the keyring groups this program's secrets.
const service = "tarmac"

// System returns the keyring of the operating system: Secret Service, Keychain or Credential
// Manager. It connects to the keyring on first use. Secret Service requires a session bus, which
// the environment must name.
func System(getenv func(string) string) Keyring { return system{getenv} }

type system struct{ getenv func(string) string }

func (s system) Get(name string) (string, error) {
	if err := checkSessionBus(s.getenv); err != nil {
		return "", err
	}
	secret, err := keyring.Get(service, name)
	return secret, translate(err)
}

func (s system) Set(name, secret string) error {
	if err := checkSessionBus(s.getenv); err != nil {
		return err
	}
	return keyring.Set(service, name, secret)
}

func (s system) Delete(name string) error {
	if err := checkSessionBus(s.getenv); err != nil {
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
