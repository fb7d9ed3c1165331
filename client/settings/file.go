package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"

	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

const (
	directory = "tarmac"
	fileName  = "config.toml"

	maxFile = 1 << 20
)

// ErrNoHome means that neither XDG_CONFIG_HOME nor a home directory is set.
var ErrNoHome = errors.New("there is no home directory to keep settings in: set HOME or XDG_CONFIG_HOME")

// ConfigDirectory returns the directory of settings and token files, $XDG_CONFIG_HOME/tarmac. If
// that variable is unset, it returns ~/.config/tarmac or a directory in %AppData%.
func ConfigDirectory(getenv func(string) string) (string, error) {
	return userDirectory(getenv, "XDG_CONFIG_HOME", "APPDATA", ".config")
}

// StateDirectory returns the directory of drafts and filters, $XDG_STATE_HOME/tarmac. If that
// variable is unset, it returns ~/.local/state/tarmac or a directory in %LocalAppData%.
func StateDirectory(getenv func(string) string) (string, error) {
	return userDirectory(getenv, "XDG_STATE_HOME", "LOCALAPPDATA", filepath.Join(".local", "state"))
}

// DataDirectory returns the directory of own books: $XDG_DATA_HOME/tarmac, or if unset
// ~/.local/share/tarmac or a directory in %LocalAppData%.
func DataDirectory(getenv func(string) string) (string, error) {
	return userDirectory(getenv, "XDG_DATA_HOME", "LOCALAPPDATA", filepath.Join(".local", "share"))
}

// userDirectory returns tarmac's directory below the one that the variable xdg names. As the XDG
// specification demands, it ignores relative paths.
func userDirectory(getenv func(string) string, xdg, windows, belowHome string) (string, error) {
	if dir := getenv(xdg); filepath.IsAbs(dir) {
		return filepath.Join(dir, directory), nil
	}
	if runtime.GOOS == "windows" {
		if dir := getenv(windows); filepath.IsAbs(dir) {
			return filepath.Join(dir, directory), nil
		}
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, belowHome, directory), nil
	}
	return "", ErrNoHome
}

// File is a settings file with its content.
type File struct {
	Path     string // "" if there is no home directory
	Exists   bool
	Settings Settings // content of the file, or the defaults if there is no file

	content string
}

// Load reads the user's settings file. A missing file is not an error. If other users can read or
// write the file, Load returns an error, because the file says to which server a token is sent.
func Load(getenv func(string) string) (File, error) {
	f := File{Settings: Defaults()}
	dir, err := ConfigDirectory(getenv)
	if err != nil {
		return f, nil
	}
	f.Path = filepath.Join(dir, fileName)
	content, err := privatefile.Read(f.Path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	f.Exists = true
	if err != nil {
		return f, err
	}
	f.content = string(content)
	parsed, err := Parse(f.content)
	if err != nil {
		return f, fmt.Errorf("%s, %w", termtext.Line(f.Path), err)
	}
	f.Settings = parsed
	return f, nil
}

// Init writes Example to a new file. If there already is a file, it returns fs.ErrExist.
func (f File) Init() error {
	if f.Path == "" {
		return ErrNoHome
	}
	return privatefile.Create(f.Path, []byte(Example()))
}

// SaveProfile adds or replaces a profile in the file. If there is no default profile, this one
// becomes the default. All other text in the file remains unchanged, including comments.
func (f File) SaveProfile(name string, p Profile) (File, error) {
	if err := CheckProfileName(name); err != nil {
		return f, err
	}
	var changes []edit
	before := f.Settings.Profiles[name]
	for _, o := range profileOptions() {
		if text := o.at(&p).text(); text != o.at(&before).text() {
			if text == `""` {
				text = ""
			}
			changes = append(changes, change{"profiles." + tableKey(name), o.key, text})
		}
	}
	wanted := f.Settings.with(name, p)
	if wanted.DefaultProfile == "" {
		wanted.DefaultProfile = name
		changes = append(changes, change{"", "default_profile", quote(name)})
	}
	return f.save(wanted, changes)
}

// UseProfile makes the named profile, or OwnBooks, the default.
func (f File) UseProfile(name string) (File, error) {
	if _, err := f.Settings.Profile(name); err != nil && name != OwnBooks {
		return f, err
	}
	wanted := f.Settings
	wanted.DefaultProfile = name
	return f.save(wanted, []edit{change{"", "default_profile", quote(name)}})
}

// save applies the changes to the file, provided that the result contains exactly the wanted
// settings.
func (f File) save(wanted Settings, changes []edit) (File, error) {
	if f.Path == "" {
		return f, ErrNoHome
	}
	content := f.content
	if !f.Exists {
		content = heading
	}
	for _, c := range changes {
		content = c.apply(content)
	}
	got, err := Parse(content)
	if err != nil || got.TOML() != wanted.TOML() {
		return f, fmt.Errorf(
			"%s is written in a way that cannot be changed from here: write it into it by hand, as `tarmac config "+
				"init` shows",
			termtext.Line(f.Path),
		)
	}
	if err := privatefile.Write(privatefile.Target(f.Path), []byte(content)); err != nil {
		return f, err
	}
	return File{Path: f.Path, Exists: true, Settings: got, content: content}, nil
}
