// Package settings holds what a person has set: one TOML file, the environment and
// the command line, and which server and token come of them.
//
// No setting takes a token on the command line, which every user of a machine can
// read, nor in the settings file, which gets copied and shown.
package settings

import (
	"time"
)

// Settings are what the settings file says, and the defaults of what it does not.
type Settings struct {
	DefaultProfile string             // "" for none
	Profiles       map[string]Profile // by name; never nil
	Runway         Runway
	Refresh        Refresh
	Theme          string // one of Themes
	Mouse          bool
	Keys           map[string][]string // the keys of an action of Actions that has others than its own
	Demo           Demo
}

// Profile is a server, and how it is talked to. Its token is kept apart.
type Profile struct {
	BaseURL   string
	TokenFile string // a file with the token, in place of the keyring; "" for none
	CAFile    string // PEM, more certificate authorities than the system's; "" for none
	ReadOnly  bool
}

// Runway is from how many tenths of a month on a runway is called what; less than
// Caution is critical.
type Runway struct {
	Comfortable, Healthy, Caution int64
}

// Refresh is how old figures may become before they are fetched again.
type Refresh struct {
	Account time.Duration // the balance
	Latest  time.Duration // the latest transactions
	Figures time.Duration // runway, aging and months
	Ping    time.Duration // what the token may do
}

// Demo is what `tarmac demo` generates.
type Demo struct {
	Transactions int
	Seed         int64
}

// Themes are the looks there are.
var Themes = [...]string{"terminal", "dark", "light", "colour-blind"}

// Action is something that a key does on every screen.
type Action struct {
	Name string
	Keys []string // when nothing else is set
	Does string
}

// Actions returns what keys can be set for. ctrl+c always quits, ctrl+z leads to the
// shell.
func Actions() []Action {
	return []Action{
		{"help", []string{"?"}, "help"},
		{"palette", []string{":", "ctrl+k"}, "the command palette"},
		{"profiles", []string{"p"}, "switch to another profile"},
		{"filter", []string{"/"}, "filter by text"},
		{"refresh", []string{"r"}, "refresh"},
		{"details", []string{"!"}, "details of a problem"},
		{"redraw", []string{"ctrl+l"}, "redraw the screen"},
		{"back", []string{"esc"}, "back"},
		{"copy", []string{"y"}, "copy"},
		{"export", []string{"e"}, "export"},
		{"mask", []string{"*"}, "mask every amount"},
		{"theme", []string{"T"}, "the next theme"},
		{"quit", []string{"q"}, "quit"},
	}
}

// Defaults returns the settings of somebody who has set nothing.
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
