package stripe

import (
	"errors"
	"strings"

	"tarmac/service/providers"
	"tarmac/service/providers/wire"
)

// The beginnings of restricted keys, for real and for test data.
const (
	livePrefix = "rk_live_"
	testPrefix = "rk_test_"
)

// maxKey is the largest length of a key in bytes.
const maxKey = 512

const keyAdvice = "create a restricted key with the permission Invoices: Read in Stripe's dashboard"

// checkKey returns an error unless a token is a restricted key.
func checkKey(token wire.Secret) error {
	key := strings.TrimSpace(token.Reveal())
	secretPart, restricted := strings.CutPrefix(key, livePrefix)
	if !restricted {
		secretPart, restricted = strings.CutPrefix(key, testPrefix)
	}
	switch {
	case key == "":
		return errors.New("the key is empty; " + keyAdvice)
	case strings.HasPrefix(key, "sk_"):
		return errors.New("this is a secret key, which can do everything in your Stripe account; " + keyAdvice)
	case strings.HasPrefix(key, "pk_"):
		return errors.New("this is a publishable key, which cannot read invoices; " + keyAdvice)
	case !restricted || secretPart == "" || len(key) > maxKey || !isWord(key):
		return errors.New("this is no restricted key of Stripe, which begins with " + livePrefix + "; " + keyAdvice)
	}
	return nil
}

// open returns the provider for a key.
func open(client *wire.Client, key wire.Secret) (providers.Provider, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	text := strings.TrimSpace(key.Reveal())
	return &provider{client: client, key: wire.NewSecret(text), live: strings.HasPrefix(text, livePrefix)}, nil
}

// isWord reports whether a text has only letters and digits of ASCII and underscores, as all keys
// and ids of Stripe.
func isWord(text string) bool {
	for _, r := range text {
		if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return text != ""
}
