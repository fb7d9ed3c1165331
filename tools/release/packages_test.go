package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var archived = []file{
	{name: "tarmac", program: true, content: []byte("program")},
	{name: "man/tarmac.1", content: []byte(".TH")},
	{name: "completions/tarmac.bash", content: []byte("bash")},
	{name: "completions/_tarmac", content: []byte("zsh")},
	{name: "completions/tarmac.fish", content: []byte("fish")},
	{name: "completions/tarmac.ps1", content: []byte("PowerShell")},
	{name: "LICENSE", content: []byte("MIT")},
	{name: "docs/operating.md", content: []byte("page")},
	{name: "docs/alerts.md", content: []byte("page")},
}

func packagedHere(t testing.TB, format string) map[string]installed {
	t.Helper()
	r := release{toolchain: &toolchain{directory: "../.."}}
	files, err := r.packaged(format, archived)
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]installed{}
	for _, f := range files {
		byPath[f.path] = f
	}
	return byPath
}

func TestPackagesInstallFilesWhereSystemsLookForThem(t *testing.T) {
	for format, zsh := range map[string]string{
		"deb": "/usr/share/zsh/vendor-completions/_tarmac", "rpm": "/usr/share/zsh/site-functions/_tarmac",
	} {
		files := packagedHere(t, format)
		for path, mode := range map[string]fs.FileMode{
			"/usr/bin/tarmac": 0o755, "/usr/sbin/tarmac-admin": 0o755, "/etc/tarmac": 0o755, "/etc/tarmac/tarmac.env": 0o600,
			"/usr/share/man/man1/tarmac.1.gz": 0o644, "/usr/share/bash-completion/completions/tarmac": 0o644, zsh: 0o644,
			"/usr/share/fish/vendor_completions.d/tarmac.fish": 0o644, "/usr/share/doc/tarmac/copyright": 0o644,
			"/usr/share/doc/tarmac/docs/operating.md": 0o644, "/usr/share/doc/tarmac/docs/alerts.md": 0o644,
			"/usr/lib/sysusers.d/tarmac.conf":        0o644,
			"/usr/lib/systemd/system/tarmac.service": 0o644, "/usr/lib/systemd/system/tarmac-ssh.service": 0o644,
			"/usr/lib/systemd/user/tarmac-watch.service": 0o644,
		} {
			if f, ok := files[path]; !ok || f.mode != mode || f.kind != "dir" && len(f.content) == 0 {
				t.Errorf("%s: %s has the mode %v and %d bytes, want %v", format, path, f.mode, len(f.content), mode)
			}
			delete(files, path)
		}
		if len(files) > 0 {
			t.Errorf("%s: it also holds %v", format, files)
		}
	}
}

func TestTheManualPageOfAPackageIsCompressedWithoutNameAndTime(t *testing.T) {
	page := packagedHere(t, "deb")["/usr/share/man/man1/tarmac.1.gz"]
	r, err := gzip.NewReader(bytes.NewReader(page.content))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil || string(content) != ".TH" || r.Name != "" || !r.ModTime.IsZero() {
		t.Errorf("%q, named %q, of %v (%v)", content, r.Name, r.ModTime, err)
	}
}

// Each absolute path in the units and scripts exists after an installation.
func TestUnitsAndScriptsNameFilesThatAreInstalled(t *testing.T) {
	files := packagedHere(t, "deb")
	made := []string{ // by the scripts, systemd or the system
		"/etc/tarmac/key", "/var/lib/tarmac", "/var/lib/tarmac/ssh_host_key", "/var/lib/tarmac/tarmac.db",
		"/usr/sbin/nologin", "/run/systemd/system", "/bin/sh", "/dev/null",
	}
	named := regexp.MustCompile(`(?:^|[\s=":!])(?:file://)?(/[a-z][\w./-]+)`)
	checked := 0
	entries, err := os.ReadDir("../../packaging")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue // not installed
		}
		content, err := os.ReadFile("../../packaging/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		if entry.Name() == "Containerfile" {
			continue
		}
		for _, match := range named.FindAllStringSubmatch(string(content), -1) {
			checked++
			if _, ok := files[match[1]]; !ok && !slices.Contains(made, match[1]) {
				t.Errorf("%s names %s, which is not installed", entry.Name(), match[1])
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d paths were checked", checked)
	}
}

// nfpm would otherwise write the time, the user, the umask and the name of this machine into a
// package.
func TestTheConfigurationOfAPackageLeavesNothingToTheMachine(t *testing.T) {
	r := release{toolchain: &toolchain{directory: "../.."}, version: "v1.2.3", date: someday}
	path, err := r.writePackageConfig(platform{"linux", "arm64"}, t.TempDir()+"/new", []installed{
		{path: "/etc/tarmac", mode: 0o755, kind: "dir"}, {path: "/usr/bin/tarmac", mode: 0o755, content: []byte("program")},
	})
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var config packageConfig
	if err := json.Unmarshal(written, &config); err != nil {
		t.Fatal(err)
	}
	if !config.MTime.Equal(someday) || config.Umask != 0o022 || config.RPM["buildhost"] != "localhost" ||
		config.Arch != "arm64" || config.Version != "v1.2.3" || len(config.Contents) != 2 {
		t.Errorf("the configuration is %s", written)
	}
	for _, c := range config.Contents {
		if c.Info.Owner != "root" || c.Info.Group != "root" || c.Info.Mode != 0o755 || !c.Info.MTime.Equal(someday) {
			t.Errorf("%s: %+v", c.Destination, c.Info)
		}
	}
	for _, script := range config.Scripts {
		if info, err := os.Stat(script); err != nil || info.Mode().Perm()&0o100 == 0 {
			t.Errorf("%s cannot be run (%v)", script, err)
		}
	}
}

func TestAFormulaNamesTheArchivesWithTheirSums(t *testing.T) {
	r := release{version: "v1.2.3", home: "https://forge.example/owner/tarmac", sums: map[string]string{
		"tarmac_1.2.3_darwin_arm64.tar.gz": "aa", "tarmac_1.2.3_darwin_amd64.tar.gz": "bb",
		"tarmac_1.2.3_linux_amd64.tar.gz": "cc", "tarmac_1.2.3_linux_amd64.deb": "dd",
	}}

	formula, err := r.formula()

	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(formula)) {
		if strings.Contains(line, "on_") || strings.Contains(line, "url ") || strings.Contains(line, "sha256 ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	const published = "https://forge.example/owner/tarmac/releases/download/v1.2.3/tarmac_1.2.3_"
	want := []string{
		"on_macos do",
		"on_arm do", `url "` + published + `darwin_arm64.tar.gz"`, `sha256 "aa"`,
		"on_intel do", `url "` + published + `darwin_amd64.tar.gz"`, `sha256 "bb"`,
		"on_linux do",
		"on_intel do", `url "` + published + `linux_amd64.tar.gz"`, `sha256 "cc"`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("the formula says\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}
