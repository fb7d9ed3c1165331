// Package settings reads the user's settings from a TOML file, the environment and the command
// line. It determines the server to connect to and the token to use.
//
// A token is accepted neither on the command line, which all users of a machine can read, nor in
// the settings file, which people copy and show to others.
package settings

import (
	"time"
)

// Settings is the content of the settings file. Settings that the file leaves out have their
// default values.
type Settings struct {
	DefaultProfile string             // name of the default profile; "" if there is none
	Profiles       map[string]Profile // by name; never nil
	Runway         Runway
	Refresh        Refresh
	Theme          string // one of Themes
	Mouse          bool
	Notifications  string              // one of Notifications
	Keys           map[string][]string // keys by the names of actions, for actions whose keys are not the default ones
	Demo           Demo
	Alerts         []Alert
	Channels       []Channel
	Digest         Digest

	Given map[string]bool // settings that the file has
}

// Has reports whether the file has a setting, such as theme or demo.seed.
func (s Settings) Has(name string) bool { return s.Given[name] }

// Profile describes a server and how to connect to it. Its token is stored elsewhere.
type Profile struct {
	BaseURL   string
	TokenFile string // file with the token, instead of the keyring; "" if there is none
	CAFile    string // PEM file of authorities to trust in addition to the system's; "" if there is none
	ReadOnly  bool
	Plan      string // file with the plan; "" for NAME.plan beside the settings
}

// Runway holds the minimum runways that are rated comfortable, healthy and caution, in tenths of a
// month. A shorter runway than Caution is critical.
type Runway struct {
	Comfortable, Healthy, Caution int64
}

// Refresh holds the ages at which data is fetched again.
type Refresh struct {
	Account time.Duration // balance of the account
	Latest  time.Duration // latest transactions
	Figures time.Duration // runway, aging buckets and monthly sums
	Ping    time.Duration // scopes of the token
}

// Demo holds settings for the company that `tarmac demo` generates.
type Demo struct {
	Transactions int
	Seed         int64
}

// Themes lists the names of the themes.
var Themes = [...]string{"terminal", "dark", "light", "colour-blind"}

// Notifications lists how the dashboard tells alerts while its terminal does not have the focus:
// not at all, through the terminal if it can, or else with the bell.
var Notifications = [...]string{"off", "terminal", "bell"}

// Action is something that keys do on every screen.
type Action struct {
	Name        string
	Keys        []string // default keys
	Description string
}

// Actions returns the actions whose keys the user can set. In addition, ctrl+c always quits and
// ctrl+z always suspends.
func Actions() []Action {
	return []Action{
		{"help", []string{"?"}, "help"},
		{"palette", []string{":", "ctrl+k"}, "find pages, actions and names"},
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
		{"places", []string{"."}, "where else a row is"},
		{"quit", []string{"q"}, "quit"},
	}
}

// Defaults returns the settings that apply if there is no settings file.
func Defaults() Settings {
	return Settings{
		Profiles: map[string]Profile{},
		Runway:   Runway{Comfortable: 120, Healthy: 60, Caution: 30},
		Refresh: Refresh{
			Account: 30 * time.Second, Latest: 5 * time.Second, Figures: time.Minute, Ping: 5 * time.Minute,
		},
		Theme:         Themes[0],
		Notifications: Notifications[0],
		Keys:          map[string][]string{},
		Demo:          Demo{Transactions: 4000, Seed: 1},
	}
}
