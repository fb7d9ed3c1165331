package settings

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
)

// option is a key of the settings file, with its explanation and its value in a Settings.
type option struct {
	key string // includes the table if there is one, as in "runway.healthy"
	doc string
	at  func(*Settings) value
}

// value gets and sets one setting.
type value struct {
	set  func(any) error // sets the setting from a decoded TOML value
	text func() string   // returns the setting as TOML
}

// options returns all keys in the order of Example, except the keys of profiles and of actions.
func options() []option {
	const second = time.Second
	return []option{
		{"default_profile", "The profile that is used when none is named; \"own books\" for your own books.",
			func(s *Settings) value { return text(&s.DefaultProfile, checkDefaultProfile) }},
		{"theme", "The looks: " + strings.Join(Themes[:], ", ") + ". terminal takes the terminal's own sixteen colours.",
			func(s *Settings) value { return text(&s.Theme, oneOf(Themes[:])) }},
		{"mouse", "Whether the mouse works; a terminal's own selecting of text then needs Shift.",
			func(s *Settings) value { return boolean(&s.Mouse) }},
		{"notifications", "How alerts are told while the terminal does not have the focus: " +
			strings.Join(Notifications[:], ", ") + ".",
			func(s *Settings) value { return text(&s.Notifications, oneOf(Notifications[:])) }},
		{
			"runway.comfortable",
			"From how many months on a runway is comfortable, healthy, or calls for caution; less is critical.",
			func(s *Settings) value { return months(&s.Runway.Comfortable) },
		},
		{"runway.healthy", "", func(s *Settings) value { return months(&s.Runway.Healthy) }},
		{"runway.caution", "", func(s *Settings) value { return months(&s.Runway.Caution) }},
		{
			"refresh.latest",
			"How old the latest transactions, the balance, the other figures, and what the token may do, may become.",
			func(s *Settings) value { return interval(&s.Refresh.Latest, 2*second) },
		},
		{"refresh.account", "", func(s *Settings) value { return interval(&s.Refresh.Account, 5*second) }},
		{"refresh.figures", "", func(s *Settings) value { return interval(&s.Refresh.Figures, 15*second) }},
		{"refresh.ping", "", func(s *Settings) value { return interval(&s.Refresh.Ping, 15*second) }},
		{"digest.when", "When `tarmac watch` sends the digest, such as \"monday 08:00\", in which zone, and where.",
			func(s *Settings) value { return text(&s.Digest.When, filled) }},
		{"digest.zone", "", func(s *Settings) value { return text(&s.Digest.Zone, filled) }},
		{"digest.to", "", func(s *Settings) value { return names(&s.Digest.To) }},
		{"demo.transactions", "What `tarmac demo` generates: how many transactions, and which company.",
			func(s *Settings) value { return integer(&s.Demo.Transactions, 1, 10_000_000) }},
		{"demo.seed", "", func(s *Settings) value { return integer(&s.Demo.Seed, math.MinInt64, math.MaxInt64) }},
	}
}

// profileOption is a key in the table of a profile, with its explanation.
type profileOption struct {
	key string
	doc string
	at  func(*Profile) value
}

func profileOptions() []profileOption {
	return []profileOption{
		{"base_url", "The server.", func(p *Profile) value { return text(&p.BaseURL, checkBaseURL) }},
		{
			"token_file",
			"A file of your own with the token (chmod 600); without it the token is where `tarmac login` has put it.",
			func(p *Profile) value { return text(&p.TokenFile, absolute) },
		},
		{"ca_file", "A PEM file with certificate authorities to trust beside the system's.",
			func(p *Profile) value { return text(&p.CAFile, absolute) }},
		{
			"read_only",
			"Hides and refuses everything that changes something.",
			func(p *Profile) value { return boolean(&p.ReadOnly) },
		},
		{"plan", "The file with the plan (docs/plan.md); without it NAME.plan beside this file.",
			func(p *Profile) value { return text(&p.Plan, absolute) }},
	}
}

var profileName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

const maxProfileName = 63

// CheckProfileName returns an error if name cannot be the name of a profile. Profile names are also
// used as names of files and tables.
func CheckProfileName(name string) error {
	if len(name) > maxProfileName || !profileName.MatchString(name) {
		return errors.New(
			"a profile's name is made of a-z, 0-9, dots, dashes and underscores, begins with a letter or a digit and has at " +
				"most 63 characters",
		)
	}
	if strings.HasPrefix(name, "svc_") {
		return errors.New("a profile's name does not begin with svc_, as tokens do")
	}
	return nil
}

func checkDefaultProfile(name string) error {
	if name == OwnBooks {
		return nil
	}
	return CheckProfileName(name)
}

// checkBaseURL returns an error for a URL that the client would refuse, such as one with a
// password.
func checkBaseURL(baseURL string) error {
	if _, err := apiclient.New(baseURL, "token"); err != nil {
		return fmt.Errorf("cannot be used: %w", err)
	}
	return nil
}

func absolute(path string) error {
	if !filepath.IsAbs(path) {
		return errors.New("must be an absolute path, such as /home/ada/token")
	}
	return nil
}

func oneOf(names []string) func(string) error {
	return func(s string) error {
		if !slices.Contains(names, s) {
			return errors.New("must be one of " + strings.Join(names, ", "))
		}
		return nil
	}
}

func text(to *string, check func(string) error) value {
	return value{
		set: func(v any) error {
			s, ok := v.(string)
			if !ok {
				return errors.New(`must be text in quotes, such as "…"`)
			}
			if err := check(s); err != nil {
				return err
			}
			*to = s
			return nil
		},
		text: func() string { return quote(*to) },
	}
}

func boolean(to *bool) value {
	return value{
		set: func(v any) error {
			b, ok := v.(bool)
			if !ok {
				return errors.New("must be true or false")
			}
			*to = b
			return nil
		},
		text: func() string { return strconv.FormatBool(*to) },
	}
}

func integer[T int | int64](to *T, least, most T) value {
	return value{
		set: func(v any) error {
			n, ok := v.(int64)
			if !ok || n < int64(least) || n > int64(most) {
				return fmt.Errorf("must be a whole number from %d to %d", least, most)
			}
			*to = T(n)
			return nil
		},
		text: func() string { return strconv.FormatInt(int64(*to), 10) },
	}
}

// months returns the value of a setting that is given in months and stored in tenths of a month.
func months(to *int64) value {
	const most = 1200
	return value{
		set: func(v any) error {
			var tenths float64
			switch n := v.(type) {
			case int64:
				tenths = float64(n) * 10
			case float64:
				tenths = math.Round(n * 10)
			}
			if !(tenths >= 1 && tenths <= most) { // false for NaN too
				return fmt.Errorf("must be a number of months from 0.1 to %d", most/10)
			}
			*to = int64(tenths)
			return nil
		},
		text: func() string {
			if *to%10 == 0 {
				return strconv.FormatInt(*to/10, 10)
			}
			return fmt.Sprintf("%d.%d", *to/10, *to%10)
		},
	}
}

// interval returns the value of a setting for a refresh interval. The minimum keeps the client
// within its rate limit.
func interval(to *time.Duration, minimum time.Duration) value {
	const most = 24 * time.Hour
	return value{
		set: func(v any) error {
			s, _ := v.(string)
			d, err := time.ParseDuration(s)
			if err != nil || d < minimum || d > most {
				return fmt.Errorf(`must be a time from "%s" to "24h", such as "30s" or "5m"`, brief(minimum))
			}
			*to = d
			return nil
		},
		text: func() string { return quote(brief(*to)) },
	}
}

// brief returns a duration as text, without parts that are zero.
func brief(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

var keyName = regexp.MustCompile(`^((ctrl|alt|shift|meta|super|hyper)\+)*([!-~]|[^\x00-\x{A0}]|[a-z]+[0-9]*)$`)

// keyNames returns the keys of an action from a decoded TOML value.
func keyNames(v any) ([]string, error) {
	items, ok := v.([]any)
	if !ok || len(items) == 0 {
		return nil, errors.New(`must be a list of keys, such as ["r", "f5"]`)
	}
	var names []string
	for _, item := range items {
		name, ok := item.(string)
		switch {
		case !ok || !keyName.MatchString(name):
			return nil, errors.New(`has something that is no key; keys are such as "r", "R", "ctrl+r", "f5", "enter", "space"`)
		case name == "ctrl+c":
			return nil, errors.New("must not take ctrl+c, which always quits")
		case name == "ctrl+z":
			return nil, errors.New("must not take ctrl+z, which always leads back to the shell")
		case slices.Contains(names, name):
			return nil, errors.New("names a key twice")
		}
		names = append(names, name)
	}
	return names, nil
}

// quote returns s as a TOML string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
