package command

import (
	"context"
	"net/http"

	"tarmac/service"
	"tarmac/service/providers"
	"tarmac/service/providers/mercury"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/stripe"
	"tarmac/service/providers/wire"
)

// ProviderKinds returns the providers that books can be connected to.
func ProviderKinds() []providers.Kind {
	return []providers.Kind{mercury.Kind(), simplefin.Kind(), stripe.Kind()}
}

// OpenService opens a service whose organizations can be connected to providers, through the proxy
// that the environment names.
func OpenService(ctx context.Context, config service.Config) (*service.Service, error) {
	client, err := wire.New(wire.Config{Proxy: http.ProxyFromEnvironment, Version: config.Version})
	if err != nil {
		return nil, err
	}
	config.Providers, config.ProviderClient = ProviderKinds(), client
	return service.Open(ctx, config)
}

// CheckProviderToken returns a usage error for a text that is no token of a provider. The error
// does not contain the text.
func CheckProviderToken(provider, text string) error {
	for _, k := range ProviderKinds() {
		if k.Name == provider && k.Check != nil {
			if err := k.Check(wire.NewSecret(text)); err != nil {
				return UsageError{Err: err}
			}
		}
	}
	return nil
}
