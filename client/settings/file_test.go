package settings_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/client/settings"
)

// load reads the settings file in a configuration directory.
func load(t testing.TB, home string) settings.File {
	t.Helper()
	f, err := settings.Load(environment(map[string]string{"XDG_CONFIG_HOME": home}))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// put writes a settings file and returns its configuration directory.
func put(t testing.TB, content string) (home, path string) {
	t.Helper()
	home = t.TempDir()
	path = filepath.Join(home, "tarmac", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return home, path
}

func TestDirectoriesAreFoundInTheEnvironment(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths are others there")
	}
	for name, c := range map[string]struct {
		env           map[string]string
		config, state string
	}{
		"XDG": {map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "HOME": "/h"}, "/c/tarmac",
			"/s/tarmac"},
		"home": {map[string]string{"HOME": "/h"}, "/h/.config/tarmac", "/h/.local/state/tarmac"},
		"relative": {map[string]string{"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": ".", "HOME": "/h"}, "/h/.config/tarmac",
			"/h/.local/state/tarmac"},
		"neither": {nil, "", ""},
	} {
		config, err := settings.ConfigDirectory(environment(c.env))
		state, _ := settings.StateDirectory(environment(c.env))
		if config != c.config || state != c.state || errors.Is(err, settings.ErrNoHome) != (c.config == "") {
			t.Errorf("%s: %q, %q, %v", name, config, state, err)
		}
	}
}

func TestNoFileIsTheDefaults(t *testing.T) {
	f := load(t, t.TempDir())
	if f.Exists || f.Settings.TOML() != settings.Defaults().TOML() {
		t.Errorf("%+v", f)
	}
}

func TestAFileThatOthersCanReadIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes there")
	}
	home, path := put(t, "mouse = true\n")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := settings.Load(environment(map[string]string{"XDG_CONFIG_HOME": home}))
	if err == nil || !strings.Contains(err.Error(), "(mode 0644): chmod 600 "+path) || f.Settings.Mouse {
		t.Errorf("%v, %+v", err, f.Settings)
	}
}

func TestAMistakeNamesTheFile(t *testing.T) {
	home, path := put(t, "mouse = true\nmuose = true\n")
	_, err := settings.Load(environment(map[string]string{"XDG_CONFIG_HOME": home}))
	if want := path + ", line 2: muose is not a setting; mouse is"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestInitWritesTheExampleOnce(t *testing.T) {
	home := t.TempDir()
	f := load(t, home)
	if err := f.Init(); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{f.Path: 0o600, filepath.Dir(f.Path): 0o700} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := os.WriteFile(f.Path, []byte("mouse = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Init(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: %v", err)
	}
	if !load(t, home).Settings.Mouse {
		t.Error("the file was replaced")
	}
}

func TestProfilesAreWrittenBesideWhatIsThere(t *testing.T) {
	acme := settings.Profile{BaseURL: "https://acme.example", ReadOnly: true}
	for name, c := range map[string]struct{ before, after string }{
		"no profile yet": {
			"# mine\nmouse = true # yes\n\n[refresh]\nping = \"1h\" # often enough\n",
			"# mine\nmouse = true # yes\ndefault_profile = \"acme\"\n\n[refresh]\nping = \"1h\" # often " +
				"enough\n\n[profiles.acme]\nbase_url = \"https://acme.example\"\nread_only = true\n",
		},
		"no line's end": {
			"default_profile = \"b\"\n[profiles.b]\nbase_url = \"https://b\"",
			"default_profile = \"b\"\n[profiles.b]\nbase_url = \"https://b\"\n\n[profiles.acme]\nbase_url = " +
				"\"https://acme.example\"\nread_only = true\n",
		},
		"there already": {
			"default_profile=\"b\"\n[ profiles.acme ] # ours\n  base_url = \"https://old\"\n  ca_file = \"/gone\"\n# " +
				"kept\n\n[profiles.b]\nbase_url = \"https://b\"\n",
			"default_profile=\"b\"\n[ profiles.acme ] # ours\nbase_url = \"https://acme.example\"\n# kept\nread_only = " +
				"true\n\n[profiles.b]\nbase_url = \"https://b\"\n",
		},
	} {
		home, path := put(t, c.before)
		if _, err := load(t, home).SaveProfile("acme", acme); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.after)
		}
		if got := load(t, home).Settings.Profiles["acme"]; got != acme {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Files that cannot be changed line by line are left alone.
func TestAFileThatCannotBeChangedIsLeftAsItIs(t *testing.T) {
	for name, content := range map[string]string{
		"inline":    "profiles = { acme = { base_url = \"https://old\" } }\n",
		"dotted":    "profiles.acme.base_url = \"https://old\"\n",
		"multiline": "default_profile = \"acme\"\n[profiles.acme]\nbase_url = \"\"\"\\\nhttps://old\"\"\"\n",
	} {
		home, path := put(t, content)
		_, err := load(t, home).SaveProfile("acme", settings.Profile{BaseURL: "https://new"})
		if err == nil || !strings.Contains(err.Error(), "by hand") {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("%s: the file is now %q (%v)", name, got, err)
		}
	}
}

func TestALinkToTheSettingsStaysALink(t *testing.T) {
	home, path := put(t, "")
	real := filepath.Join(t.TempDir(), "dotfiles.toml")
	if err := os.Rename(path, real); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, path); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, err := load(t, home).SaveProfile("acme", settings.Profile{BaseURL: "https://acme"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	content, readErr := os.ReadFile(real)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 || readErr != nil ||
		!strings.Contains(string(content), "[profiles.acme]") {
		t.Errorf("%v, %v, %v, %q", info.Mode(), err, readErr, content)
	}
}

func TestTheDefaultProfileIsChosen(t *testing.T) {
	home, _ := put(t, settings.Example()+twoProfiles[len("\ndefault_profile = \"acme\"\n"):])
	f, err := load(t, home).UseProfile("north")
	if err != nil || f.Settings.DefaultProfile != "north" || load(t, home).Settings.DefaultProfile != "north" {
		t.Fatalf("%v, %q", err, f.Settings.DefaultProfile)
	}
	if f, err = f.UseProfile("acme"); err != nil || load(t, home).Settings.DefaultProfile != "acme" {
		t.Errorf("again: %v", err)
	}
	if _, err := f.UseProfile("none"); err == nil || !strings.Contains(err.Error(), "there are: acme, empty, north") {
		t.Errorf("one that is not there: %v", err)
	}
}

// After any sequence of saves all profiles are there and nothing else has changed.
func TestSavedProfilesDoNotDisturbEachOther(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		home, _ := put(
			t,
			rapid.SampledFrom([]string{"", settings.Example(), "mouse = true", "\n\n[keys]\nquit = [\"Q\"]\n\n\n"}).
				Draw(rt, "before"),
		)
		want := load(t, home).Settings
		for range rapid.IntRange(1, 4).Draw(rt, "saves") {
			name := rapid.SampledFrom([]string{"acme", "a", "a.b", "north-1"}).Draw(rt, "name")
			p := settings.Profile{
				BaseURL: rapid.SampledFrom([]string{"https://a", "https://b/[x]", "http://[::1]:80"}).Draw(rt, "url"),
				TokenFile: rapid.SampledFrom([]string{"", "/t", "/with # mark", "/with \"quote\""}).
					Draw(rt, "token"),
				ReadOnly: rapid.Bool().Draw(rt, "read only"),
			}
			if want.DefaultProfile == "" {
				want.DefaultProfile = name
			}
			want.Profiles[name] = p
			if _, err := load(t, home).SaveProfile(name, p); err != nil {
				rt.Fatal(err)
			}
			if got := load(t, home).Settings.TOML(); got != want.TOML() {
				rt.Fatalf("got\n%s\nwant\n%s", got, want.TOML())
			}
		}
	})
}
