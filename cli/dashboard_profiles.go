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

// profiles returns the profiles in the settings file for the dashboard, and the user's own books if
// there are any. Each profile has its own server, token, certificate authorities and read_only
// setting. Flags and environment do not apply to them.
func (d dialer) profiles(env command.Env, set settings.Settings) (out []*ui.Profile) {
	for _, name := range slices.Sorted(maps.Keys(set.Profiles)) {
		profile := set.Profiles[name]
		hint := hostOf(profile.BaseURL)
		if profile.ReadOnly {
			hint += " · read-only"
		}
		out = append(out, &ui.Profile{Name: name, Hint: hint, Open: func(context.Context) (ui.Connection, error) {
			// Read the token only when the user connects, because a keyring may ask for its
			// password.
			found, err := set.Resolve(settings.Flags{Profile: name}, noEnvironment, command.TokenStore(env))
			if err != nil {
				return ui.Connection{}, err
			}
			return d.connection(found)
		}})
	}
	if own := (ownBooks{env}); own.exist() {
		out = append(out, own.profile(d))
	}
	return out
}

func noEnvironment(string) string { return "" }

// savedProfile returns the profile from which a connection comes. If flags or environment changed
// any of its values, it returns nil.
func savedProfile(profiles []*ui.Profile, found settings.Connection) *ui.Profile {
	whole := settings.ProfileSource(found.Profile)
	if found.Profile == "" || found.BaseURLSource != whole || found.TokenSource != whole || found.CAFile != "" &&
		found.CAFileSource != whole {
		return nil
	}
	return profileNamed(profiles, found.Profile)
}

func profileNamed(profiles []*ui.Profile, name string) *ui.Profile {
	for _, p := range profiles {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// unsavedProfile returns a profile for a connection that is not in the settings file.
func (d dialer) unsavedProfile(found settings.Connection) *ui.Profile {
	return &ui.Profile{
		Name: hostOf(found.BaseURL), Hint: "from " + found.BaseURLSource,
		Open: func(context.Context) (ui.Connection, error) { return d.connection(found) },
	}
}

// hostOf returns the host and port of a server. They are the name of a connection without a
// profile.
func hostOf(baseURL string) string {
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		return termtext.Line(u.Host)
	}
	return termtext.Line(baseURL)
}

// open opens a connection to a server or to the user's own books. If the connection has a function
// Close, the caller must call it.
func (d dialer) open(ctx context.Context, env command.Env, found settings.Connection) (ui.Connection, error) {
	if found.Profile == settings.OwnBooks {
		return ownBooks{env}.connect(ctx, d)
	}
	return d.connection(found)
}

func (d dialer) connection(found settings.Connection) (ui.Connection, error) {
	client, err := d.connectTo(found)
	if err != nil {
		return ui.Connection{}, err
	}
	name := found.Profile
	if name == "" {
		name = hostOf(found.BaseURL)
	}
	c := ui.Connection{Client: client, Profile: name, ReadOnly: found.ReadOnly}
	if d.getenv != nil {
		c.PlanFile, _ = found.PlanFile(d.getenv) // "" without a directory
		c.Alerts = overviewer(d.getenv, found)
	}
	return c, nil
}

// connect connects to a server that the user entered on the welcome page.
func (d dialer) connect(_ context.Context, baseURL, token string) (ui.Connection, error) {
	return d.connection(settings.Connection{BaseURL: baseURL, Token: apiclient.Token(token)})
}
