// Package settings reads a user's settings from a TOML file, the environment and the
// command line, and finds the server and the token to use.
//
// Tokens are accepted neither on the command line, which all users of a machine can read,
// nor in the settings file, which gets copied and shown.
package settings

import (
	"time"
)

// Settings are the contents of the settings file, with defaults for what it leaves out.
type Settings struct {
	DefaultProfile string             // "" for none
	Profiles       map[string]Profile // by name; never nil
	Runway         Runway
	Refresh        Refresh
	Theme          string // one of Themes
	Mouse          bool
	Keys           map[string][]string // by action, for actions whose keys differ from the defaults
	Demo           Demo
}

// Profile is a server and how to connect to it. Its token is stored elsewhere.
type Profile struct {
	BaseURL   string
	TokenFile string // file with the token, instead of the keyring; "" for none
	CAFile    string // PEM file of authorities to trust besides the system's; "" for none
	ReadOnly  bool
}

// Runway holds the shortest runways that count as comfortable, healthy and caution, in
// tenths of a month. Anything below Caution is critical.
type Runway struct {
	Comfortable, Healthy, Caution int64
}

// Refresh is how often data is fetched again.
type Refresh struct {
	Account time.Duration // the balance
	Latest  time.Duration // the latest transactions
	Figures time.Duration // runway, aging and months
	Ping    time.Duration // the token's permissions
}

// Demo configures the company that `tarmac demo` generates.
type Demo struct {
	Transactions int
	Seed         int64
}

// Themes are the names of the themes.
var Themes = [...]string{"terminal", "dark", "light", "colour-blind"}

// Action is an action that keys trigger on every screen.
type Action struct {
	Name        string
	Keys        []string // default keys
	Description string
}

// Actions returns the actions whose keys can be set. ctrl+c always quits and ctrl+z always
// suspends.
func Actions() []Action {
	return []Action{
		{"help", []string{"?"}, "help"},
		{"palette", []string{":", "ctrl+k"}, "the command palette"},
		{"profiles", []string{"p"}, "switch to another profile"},
		{"filter", []string{"/"}, "filter by text"},
		{"refresh", []string{"r"}, "refresh"},
		{"details", []string{"!"}, "problem details"},
		{"redraw", []string{"ctrl+l"}, "redraw"},
		{"back", []string{"esc"}, "back"},
		{"copy", []string{"y"}, "copy"},
		{"export", []string{"e"}, "export"},
		{"mask", []string{"*"}, "mask every amount"},
		{"theme", []string{"T"}, "next theme"},
		{"quit", []string{"q"}, "quit"},
	}
}

// Defaults returns the settings that apply without a file.
func Defaults() Settings {
	return Settings{
		Profiles: map[string]Profile{},
		Runway:   Runway{Comfortable: 120, Healthy: 60, Caution: 30},
		Refresh:  Refresh{Account: 30 * time.Second, Latest: 5 * time.Second, Figures: time.Minute, Ping: 5 * time.Minute},
		Theme:    Themes[0],
		Keys:     map[string][]string{},
		Demo:     Demo{Transactions: 4000, Seed: 1},
	}
}
