package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// platform is an operating system and a processor architecture, as GOOS and GOARCH name them.
type platform struct{ system, architecture string }

func (p platform) String() string { return p.system + "/" + p.architecture }

// toolchain runs the go command in such a way that its output depends only on the source tree.
type toolchain struct {
	directory string // directory of the main module
	version   string // version of Go, such as go1.26.8
	root      string // GOROOT
	environ   []string
}

// newToolchain returns a toolchain for the module in directory. It uses the user's Go settings only
// for the module proxy and the caches, because other settings could change the program.
func newToolchain(ctx context.Context, directory string) (*toolchain, error) {
	names := []string{
		"GOVERSION",
		"GOROOT",
		"GOPROXY",
		"GOSUMDB",
		"GONOSUMDB",
		"GONOPROXY",
		"GOPRIVATE",
		"GOMODCACHE",
		"GOCACHE",
		"GOTOOLCHAIN",
	}
	query := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, names...)...)
	query.Dir = directory
	answer, err := query.Output()
	if err != nil {
		return nil, commandError("go env", err)
	}
	settings := map[string]string{}
	if err := json.Unmarshal(answer, &settings); err != nil {
		return nil, err
	}
	t := &toolchain{directory: directory, version: settings["GOVERSION"], root: settings["GOROOT"]}
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); !strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "CGO_") {
			t.environ = append(t.environ, entry)
		}
	}
	for _, name := range names[2:] {
		t.environ = append(t.environ, name+"="+settings[name])
	}
	t.environ = append(t.environ, "GOENV=off", "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0")
	return t, nil
}

// run runs the go command for a platform and returns its output.
func (t *toolchain) run(ctx context.Context, p platform, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = t.directory
	cmd.Env = append(slices.Clip(t.environ), "GOOS="+p.system, "GOARCH="+p.architecture)
	out, err := cmd.Output()
	if err != nil {
		return nil, commandError("go "+args[0]+" for "+p.String(), err)
	}
	return out, nil
}

func commandError(what string, err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%s: %w: %s", what, err, bytes.TrimSpace(exit.Stderr))
	}
	return fmt.Errorf("%s: %w", what, err)
}

// module is a module of which packages are compiled into the program.
type module struct {
	path, version string
	directory     string
	packages      []string // directories of the module's packages that are in the program
	uses          []string // paths of the modules that the module's packages import
	texts         []text
}

func (m *module) name() string { return m.path + "@" + m.version }

// modules returns the modules whose packages are in the program on a platform, with their licences,
// sorted by path. It leaves out the main module and the standard library. direct lists the paths of
// the modules that the main module imports.
func (t *toolchain) modules(ctx context.Context, p platform) (all []*module, direct []string, err error) {
	out, err := t.run(ctx, p, "list", "-deps", "-json=ImportPath,Dir,Imports,Module", ".")
	if err != nil {
		return nil, nil, err
	}
	type listed struct {
		ImportPath, Dir string
		Imports         []string
		Module          *struct {
			Path, Version, Dir string
			Main               bool
			Replace            *struct{}
		}
	}
	// home maps the path of a package to the path of its module.
	found, home := map[string]*module{}, map[string]string{}
	uses := map[string]map[string]bool{}
	// go list prints packages after those that they import.
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, err
		}
		if l.Module == nil {
			continue // packages of the standard library
		}
		of := "" // path of the package's module; "" for the main module
		if !l.Module.Main {
			of = l.Module.Path
			if l.Module.Replace != nil {
				return nil, nil, fmt.Errorf("%s is replaced in go.mod, so that a list could not name what is built", of)
			}
			if found[of] == nil {
				found[of] = &module{path: of, version: l.Module.Version, directory: l.Module.Dir}
			}
			found[of].packages = append(found[of].packages, l.Dir)
			home[l.ImportPath] = of
		}
		if uses[of] == nil {
			uses[of] = map[string]bool{}
		}
		for _, imported := range l.Imports {
			if to := home[imported]; to != "" && to != of {
				uses[of][to] = true
			}
		}
	}
	for _, m := range found {
		m.uses = slices.Sorted(maps.Keys(uses[m.path]))
		if m.texts, err = textsOf(m); err != nil {
			return nil, nil, err
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *module) int { return cmp.Compare(a.path, b.path) })
	return all, slices.Sorted(maps.Keys(uses[""])), nil
}

// modulesOfAll returns the modules of the program on all platforms. The standard library is the
// first, and the embedded font the last.
func (t *toolchain) modulesOfAll(ctx context.Context) ([]*module, error) {
	self, err := t.standardLibrary()
	if err != nil {
		return nil, err
	}
	packages := map[string]*module{}
	for _, p := range platforms {
		modules, _, err := t.modules(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, m := range modules {
			if known := packages[m.path]; known != nil {
				m.packages = append(m.packages, known.packages...)
				if m.texts, err = textsOf(m); err != nil {
					return nil, err
				}
			}
			packages[m.path] = m
		}
	}
	font, err := t.embedded()
	if err != nil {
		return nil, err
	}
	all := slices.SortedFunc(maps.Values(packages), func(a, b *module) int { return cmp.Compare(a.path, b.path) })
	return append(append([]*module{self}, all...), font), nil
}

// standardLibrary describes the standard library as a module named std.
func (t *toolchain) standardLibrary() (*module, error) {
	m := &module{path: "std", version: strings.TrimPrefix(t.version, "go"), directory: filepath.Clean(t.root)}
	m.packages = []string{m.directory}
	var err error
	m.texts, err = textsOf(m)
	return m, err
}
