package secretstore

import (
	"errors"

	"github.com/zalando/go-keyring"
)

// Keyring stores secrets by name. Get and Delete return ErrNone for an unknown name. A
// Store calls it from one goroutine at a time, and never again after a call has timed out.
type Keyring interface {
	Get(name string) (string, error)
	Set(name, secret string) error
	Delete(name string) error
}

// service is the name that groups the program's secrets in the keyring.
const service = "tarmac"

// System returns the operating system's keyring: Secret Service, Keychain or Credential
// Manager. It connects only when used. Secret Service needs a session bus in the
// environment.
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
