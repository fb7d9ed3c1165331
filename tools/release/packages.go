package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// packageFormats lists the formats of packages for Linux, as nfpm and file names call them.
var packageFormats = []string{"deb", "rpm"}

// installed is a file of a package.
type installed struct {
	path    string
	mode    fs.FileMode
	content []byte
	kind    string // type of the file as nfpm calls it; "" for an ordinary file
}

// packageConfig holds the fields of nfpm's configuration that packages use
// (https://nfpm.goreleaser.com/docs/configuration).
type packageConfig struct {
	Name            string            `json:"name"`
	Arch            string            `json:"arch"`
	Version         string            `json:"version"`
	Section         string            `json:"section"`
	Maintainer      string            `json:"maintainer"`
	Description     string            `json:"description"`
	Homepage        string            `json:"homepage,omitempty"`
	License         string            `json:"license"`
	DisableGlobbing bool              `json:"disable_globbing"`
	MTime           time.Time         `json:"mtime"`
	Umask           fs.FileMode       `json:"umask"`
	Recommends      []string          `json:"recommends"`
	Contents        []packageContent  `json:"contents"`
	Scripts         map[string]string `json:"scripts"`
	RPM             map[string]string `json:"rpm"`
}

type packageContent struct {
	Source      string          `json:"src,omitempty"`
	Destination string          `json:"dst"`
	Type        string          `json:"type,omitempty"`
	Info        packageFileInfo `json:"file_info"`
}

type packageFileInfo struct {
	Owner string      `json:"owner"`
	Group string      `json:"group"`
	Mode  fs.FileMode `json:"mode"`
	MTime time.Time   `json:"mtime"`
}

const packageDescription = `company's finances in a terminal
tarmac shows how much cash there is, how many months it lasts, who owes
money, and every transaction. It reads the files of a bank into own books,
or serves the Organization Finance Client API.`

// packages returns the packages for a platform, one for each format.
func (r *release) packages(ctx context.Context, p platform, temporary string, common []file, program []byte) ([]file,
	error) {
	var packages []file
	for _, format := range packageFormats {
		files, err := r.packaged(format, append(common[:len(common):len(common)], file{"tarmac", true, program}))
		if err != nil {
			return nil, err
		}
		config, err := r.writePackageConfig(p, filepath.Join(temporary, p.architecture+"."+format), files)
		if err != nil {
			return nil, err
		}
		name := r.fileName(p) + "." + format
		target := filepath.Join(temporary, name)
		// nfpm is a program for this machine, whatever the platform of the package.
		if _, err := r.run(ctx, platform{runtime.GOOS, runtime.GOARCH}, "tool", "-modfile=.ci/package.mod", "nfpm", "package",
			"--config", config, "--packager", format, "--target", target); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		content, err := os.ReadFile(target)
		if err != nil {
			return nil, err
		}
		packages = append(packages, file{name: name, content: content})
	}
	return packages, nil
}

// writePackageConfig writes the files of a package into a new directory, and beside them a
// configuration for nfpm, whose path it returns.
func (r *release) writePackageConfig(p platform, directory string, files []installed) (string, error) {
	if err := os.Mkdir(directory, 0o755); err != nil {
		return "", err
	}
	scripts := filepath.Join(r.directory, "packaging")
	config := packageConfig{
		Name: "tarmac", Arch: p.architecture, Version: r.version, Section: "utils", License: "MIT",
		Maintainer: r.maintainer, Description: packageDescription, Homepage: r.home,
		DisableGlobbing: true, MTime: r.date, Umask: 0o022, Recommends: []string{"ca-certificates"},
		Scripts: map[string]string{
			"postinstall": filepath.Join(scripts, "postinst"),
			"preremove":   filepath.Join(scripts, "prerm"),
			"postremove":  filepath.Join(scripts, "postrm"),
		},
		RPM: map[string]string{"buildhost": "localhost", "summary": strings.SplitN(packageDescription, "\n", 2)[0]},
	}
	info := packageFileInfo{Owner: "root", Group: "root", MTime: r.date}
	for i, f := range files {
		entry := packageContent{Destination: f.path, Type: f.kind, Info: info}
		entry.Info.Mode = f.mode
		if f.kind != "dir" {
			entry.Source = filepath.Join(directory, strconv.Itoa(i))
			if err := os.WriteFile(entry.Source, f.content, 0o600); err != nil {
				return "", err
			}
		}
		config.Contents = append(config.Contents, entry)
	}
	written, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(directory, "nfpm.yaml") // JSON is YAML
	return path, os.WriteFile(path, written, 0o600)
}

// packaged returns the files of a package: those of an archive at the places where systems look for
// them, and those of the services.
func (r *release) packaged(format string, archived []file) ([]installed, error) {
	files := []installed{{path: "/etc/tarmac", mode: 0o755, kind: "dir"}}
	for _, f := range archived {
		to, ok := packagePath(format, f.name)
		if !ok {
			continue
		}
		one := installed{path: to, mode: 0o644, content: f.content}
		if f.program {
			one.mode = 0o755
		}
		if strings.HasSuffix(to, ".gz") {
			var err error
			if one.content, err = compressed(f.content); err != nil {
				return nil, err
			}
		}
		files = append(files, one)
	}
	for _, service := range []installed{
		{path: "/usr/lib/systemd/system/tarmac.service", mode: 0o644},
		{path: "/usr/lib/systemd/system/tarmac-ssh.service", mode: 0o644},
		{path: "/usr/lib/systemd/user/tarmac-watch.service", mode: 0o644},
		{path: "/usr/lib/sysusers.d/tarmac.conf", mode: 0o644},
		{path: "/usr/sbin/tarmac-admin", mode: 0o755},
		{path: "/etc/tarmac/tarmac.env", mode: 0o600, kind: "config|noreplace"},
	} {
		var err error
		service.content, err = os.ReadFile(filepath.Join(r.directory, "packaging", filepath.Base(service.path)))
		if err != nil {
			return nil, err
		}
		files = append(files, service)
	}
	return files, nil
}

// packagePath returns where a package installs a file of an archive. It returns false for a file
// that packages leave out.
func packagePath(format, name string) (string, bool) {
	zsh := map[string]string{"deb": "vendor-completions", "rpm": "site-functions"}[format]
	places := map[string]string{
		"tarmac":                  "/usr/bin/tarmac",
		"man/tarmac.1":            "/usr/share/man/man1/tarmac.1.gz",
		"completions/tarmac.bash": "/usr/share/bash-completion/completions/tarmac",
		"completions/_tarmac":     "/usr/share/zsh/" + zsh + "/_tarmac",
		"completions/tarmac.fish": "/usr/share/fish/vendor_completions.d/tarmac.fish",
		"LICENSE":                 "/usr/share/doc/tarmac/copyright", // the name that Debian asks for
	}
	if strings.HasSuffix(name, ".ps1") {
		return "", false
	}
	return cmp.Or(places[name], "/usr/share/doc/tarmac/"+name), true
}

// compressed returns content as gzip without a name and a time.
func compressed(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
