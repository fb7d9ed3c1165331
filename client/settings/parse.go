package settings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"tarmac/internal/termtext"
)

// Parse parses the content of a settings file. The error is one line that names the key and the
// line number. It never contains values, which may be misplaced tokens.
func Parse(content string) (Settings, error) {
	s := Defaults()
	var tree map[string]any
	keys, err := toml.Decode(content, &tree)
	if err != nil {
		return Settings{}, unparsable(err)
	}
	for _, key := range keys.Keys() {
		if err := s.set(key, lookUp(tree, key)); err != nil {
			return Settings{}, fmt.Errorf("line %d: %s %w", lineOf(content, key), redact(key.String()), err)
		}
	}
	if key, err := s.check(); err != nil {
		return Settings{}, fmt.Errorf("line %d: %s %w", lineOf(content, key), redact(key.String()), err)
	}
	return s, nil
}

func unparsable(err error) error {
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return fmt.Errorf("line %d: %s", syntax.Position.Line, redact(syntax.Message))
	}
	return errors.New(redact(err.Error()))
}

// redact returns text from the file for use in an error message. It hides text that looks like a
// token.
func redact(text string) string {
	if strings.Contains(text, "svc_") {
		return "[something like a token]"
	}
	return termtext.Line(text)
}

// lookUp returns the value of a key. If there is none, it returns nil.
func lookUp(tree map[string]any, key toml.Key) any {
	for _, part := range key[:len(key)-1] {
		tree, _ = tree[part].(map[string]any)
	}
	return tree[key[len(key)-1]]
}

// set sets the setting with the given key.
func (s *Settings) set(key toml.Key, content any) error {
	_, table := content.(map[string]any)
	switch {
	case key[0] == "profiles":
		return s.setProfile(key, content)
	case key[0] == "keys":
		return s.setKeys(key, content)
	case (key[0] == "alert" || key[0] == "channel") && len(key) == 1:
		return s.setEntries(key[0], content)
	case key[0] == "alert" || key[0] == "channel":
		return nil // set with the list that it is in
	}
	for _, o := range options() {
		parts := strings.Split(o.key, ".")
		switch {
		case slices.Equal(parts, key):
			if s.Given == nil {
				s.Given = map[string]bool{}
			}
			s.Given[o.key] = true
			return o.at(s).set(content)
		case table && len(key) < len(parts) && slices.Equal(parts[:len(key)], key):
			return nil
		}
	}
	return unknown(key, optionNames())
}

func (s *Settings) setProfile(key toml.Key, content any) error {
	_, table := content.(map[string]any)
	switch {
	case len(key) == 1 && table:
		return nil
	case len(key) == 1 || len(key) == 2 && !table:
		return errors.New(`must be a table, such as [profiles.acme] with base_url = "https://…" below it`)
	case CheckProfileName(key[1]) != nil:
		return fmt.Errorf("is no profile's: %w", CheckProfileName(key[1]))
	case len(key) == 2:
		profile := s.Profiles[key[1]] // other keys of the profile may precede the table's heading
		s.Profiles[key[1]] = profile
		return nil
	case len(key) == 3 && key[2] == "token":
		return fmt.Errorf("is not kept here: run `tarmac login --profile %s`, or name a file with token_file", key[1])
	}
	profile := s.Profiles[key[1]]
	var names []string
	for _, o := range profileOptions() {
		if len(key) == 3 && o.key == key[2] {
			err := o.at(&profile).set(content)
			s.Profiles[key[1]] = profile
			return err
		}
		names = append(names, o.key)
	}
	return unknown(key, names)
}

func (s *Settings) setKeys(key toml.Key, content any) error {
	_, table := content.(map[string]any)
	switch {
	case len(key) == 1 && table:
		return nil
	case len(key) == 1:
		return errors.New("must be a table, such as [keys] with lines such as refresh = [\"f5\"] below it")
	}
	var names []string
	for _, a := range Actions() {
		if len(key) == 2 && a.Name == key[1] {
			keys, err := keyNames(content)
			if err == nil {
				s.Keys[a.Name] = keys
			}
			return err
		}
		names = append(names, a.Name)
	}
	return unknown(key, names)
}

func optionNames() []string {
	names := []string{"profiles", "keys", "alert", "channel"}
	for _, o := range options() {
		names = append(names, o.key)
	}
	return names
}

// unknown returns the error for an unknown key. The error suggests a similar one of names.
func unknown(key toml.Key, names []string) error {
	last := key[len(key)-1]
	for _, name := range names {
		if tail := name[strings.LastIndexByte(name, '.')+1:]; similar(tail, last) || similar(name, key.String()) {
			return fmt.Errorf("is not a setting; %s is", name)
		}
	}
	return errors.New("is not a setting; `tarmac config show` lists all there are")
}

// similar reports whether two names differ only in case, in dashes, or in one letter that is
// missing, added, wrong or swapped with the next.
func similar(a, b string) bool {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "-", "_")) }
	a, b = plain(a), plain(b)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// check checks rules that concern several settings. If one is broken, it returns the key to blame
// and the error.
func (s *Settings) check() (toml.Key, error) {
	if r := s.Runway; r.Comfortable <= r.Healthy || r.Healthy <= r.Caution {
		return toml.Key{"runway"}, errors.New("must fall: comfortable above healthy above caution")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Profiles)) {
		if s.Profiles[name].BaseURL == "" {
			return toml.Key{"profiles", name}, errors.New("has no base_url")
		}
	}
	if _, known := s.Profiles[s.DefaultProfile]; !known && s.DefaultProfile != "" &&
		s.DefaultProfile != OwnBooks {
		return toml.Key{"default_profile"}, errors.New("names a profile that is not there; " + s.existingProfiles())
	}
	taken := map[string]string{}
	for _, a := range Actions() {
		for _, k := range s.KeysOf(a) {
			if other, twice := taken[k]; twice {
				blamed := a.Name
				if _, set := s.Keys[blamed]; !set {
					blamed, other = other, blamed
				}
				return toml.Key{"keys", blamed}, fmt.Errorf("takes a key that %s has", other)
			}
			taken[k] = a.Name
		}
	}
	return nil, nil
}

// KeysOf returns the keys set for an action. If none are set, it returns the default keys.
func (s *Settings) KeysOf(a Action) []string {
	if keys, set := s.Keys[a.Name]; set {
		return keys
	}
	return a.Keys
}

func (s *Settings) existingProfiles() string {
	if len(s.Profiles) == 0 {
		return "there is none: run `tarmac login`"
	}
	return "there are: " + strings.Join(slices.Sorted(maps.Keys(s.Profiles)), ", ")
}

// lineMarker is a type whose decoding always fails; see lineOf.
type lineMarker struct{}

func (lineMarker) UnmarshalTOML(any) error { return errors.New("here") }

// lineOf returns the line number of a key, or 0 if it is unknown. The TOML library reports line
// numbers only in errors. lineOf therefore decodes the key into a lineMarker, which fails.
func lineOf(content string, key toml.Key) int {
	var tree map[string]toml.Primitive
	document, err := toml.Decode(content, &tree)
	if err != nil {
		return 0
	}
	for len(key) > 1 {
		part := tree[key[0]]
		tree, key = nil, key[1:]
		if document.PrimitiveDecode(part, &tree) != nil {
			return 0
		}
	}
	var at toml.ParseError
	if errors.As(document.PrimitiveDecode(tree[key[0]], &lineMarker{}), &at) {
		return at.Position.Line
	}
	return 0
}
