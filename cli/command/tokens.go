package command

import (
	"path/filepath"

	"tarmac/client/secretstore"
	"tarmac/client/settings"
)

// TokenStore returns the store that holds the tokens of profiles.
func TokenStore(env Env) *secretstore.Store {
	directory, err := settings.ConfigDirectory(env.Getenv)
	if err == nil {
		directory = filepath.Join(directory, "tokens")
	}
	return secretstore.New(secretstore.Options{Keyring: env.Keyring, Directory: directory})
}
