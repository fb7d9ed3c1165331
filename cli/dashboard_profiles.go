package cli

import (
	"context"
	"maps"
	"net/url"
	"slices"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
	"tarmac/ui"
)

// profiles are those of the settings file, as the dashboard switches between them:
// each with its own server, token, authorities and read_only, whatever flags and
// environment say of the connection that is opened first.
func (d dialer) profiles(env command.Env, set settings.Settings) (out []*ui.Profile) {
	for _, name := range slices.Sorted(maps.Keys(set.Profiles)) {
		profile := set.Profiles[name]
		hint := hostOf(profile.BaseURL)
		if profile.ReadOnly {
			hint += " · read-only"
		}
		out = append(out, &ui.Profile{Name: name, Hint: hint, Open: func(context.Context) (ui.Connection, error) {
			// The token is read when it is wanted: a keyring may ask a person to open it.
			found, err := set.Resolve(settings.Flags{Profile: name}, noEnvironment, tokenStore(env))
			if err != nil {
				return ui.Connection{}, err
			}
			return d.connection(found)
		}})
	}
	return out
}

func noEnvironment(string) string { return "" }

// startOf returns the profile that a connection is all of, nil when flags or the
// environment have a part in it.
func startOf(profiles []*ui.Profile, found settings.Connection) *ui.Profile {
	whole := settings.ProfileSource(found.Profile)
	if found.Profile == "" || found.BaseURLSource != whole || found.TokenSource != whole || found.CAFile != "" && found.CAFileSource != whole {
		return nil
	}
	for _, p := range profiles {
		if p.Name == found.Profile {
			return p
		}
	}
	return nil
}

// elsewhere is a connection that is no profile's.
func (d dialer) elsewhere(found settings.Connection) *ui.Profile {
	return &ui.Profile{
		Name: hostOf(found.BaseURL), Hint: "from " + found.BaseURLSource,
		Open: func(context.Context) (ui.Connection, error) { return d.connection(found) },
	}
}

// hostOf is what a server is called that has no other name.
func hostOf(baseURL string) string {
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		return termtext.Line(u.Host)
	}
	return termtext.Line(baseURL)
}

func (d dialer) connection(found settings.Connection) (ui.Connection, error) {
	client, err := d.to(found)
	if err != nil {
		return ui.Connection{}, err
	}
	name := found.Profile
	if name == "" {
		name = hostOf(found.BaseURL)
	}
	return ui.Connection{Client: client, Profile: name, ReadOnly: found.ReadOnly}, nil
}

// connect makes a connection that a person typed.
func (d dialer) connect(_ context.Context, baseURL, token string) (ui.Connection, error) {
	return d.connection(settings.Connection{BaseURL: baseURL, Token: apiclient.Token(token)})
}
