package download

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// Directory returns the user's directory for downloads. That is the first of these that exists:
// XDG_DOWNLOAD_DIR, the directory in the desktop's file user-dirs.dirs, and Downloads in the home
// directory. If none exists, it is the current directory.
func Directory(getenv func(string) string) string {
	home := Home(getenv)
	candidates := []string{getenv("XDG_DOWNLOAD_DIR"), configured(getenv("XDG_CONFIG_HOME"), home)}
	if home != "" {
		candidates = append(candidates, filepath.Join(home, "Downloads"))
	}
	for _, dir := range candidates {
		// A desktop sets XDG_DOWNLOAD_DIR to the home directory if the user wants no directory for
		// downloads.
		if dir == home || !filepath.IsAbs(dir) {
			continue
		}
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	if dir, err := os.Getwd(); err == nil {
		return dir
	}
	return "."
}

// Home returns the home directory that the environment names. It returns "" if it names none.
func Home(getenv func(string) string) string {
	return cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
}

// configured returns the download directory in the desktop's file user-dirs.dirs, whose lines have
// the form NAME="$HOME/dir" or NAME="/dir".
func configured(config, home string) string {
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	file, err := os.Open(filepath.Join(config, "user-dirs.dirs"))
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		value, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), `XDG_DOWNLOAD_DIR="`)
		if !ok {
			continue
		}
		value = strings.TrimSuffix(value, `"`)
		if rest, ok := strings.CutPrefix(value, "$HOME"); ok {
			value = filepath.Join(home, rest)
		}
		return value
	}
	return ""
}
