//go:build referees

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// referee runs one of the tools in .ci/referees.mod and returns its standard output. go-licenses
// prints nothing if it is compiled with -trimpath, so GOFLAGS must not come from the environment.
func referee(t testing.TB, tool string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"tool", "-modfile=.ci/referees.mod", tool}, args...)...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(commandError(tool, err))
	}
	return out
}

func refereedModules(t testing.TB) (*toolchain, []*module) {
	t.Helper()
	goCommand, err := newToolchain(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	modules, _, err := goCommand.modules(t.Context(), platform{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		t.Fatal(err)
	}
	return goCommand, modules
}

// cyclonedx-gomod lists what it finds in the built program.
func TestAnotherToolFindsTheSameComponentsInTheProgram(t *testing.T) {
	goCommand, modules := refereedModules(t)
	r := release{toolchain: goCommand, version: "v0.0.1", date: time.Unix(1_790_000_000, 0).UTC()}
	program := filepath.Join(t.TempDir(), "tarmac")
	_, list, err := r.build(t.Context(), platform{runtime.GOOS, runtime.GOARCH}, program)
	if err != nil {
		t.Fatal(err)
	}
	var ours, theirs bom
	if err := json.Unmarshal(list, &ours); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(referee(t, "cyclonedx-gomod", "bin", "-json", program), &theirs); err != nil {
		t.Fatal(err)
	}

	found := map[string]string{}
	for _, c := range theirs.Components {
		found[c.Name+"@"+c.Version] = c.Hashes[0].Content
	}
	for _, c := range ours.Components {
		if c.Name == "std" || c.Type == "file" {
			continue // neither is a module
		}
		if sum, ok := found[c.Name+"@"+c.Version]; !ok || sum != c.Hashes[0].Content {
			t.Errorf("%s %s has the sum %s in our list, and %q in the other", c.Name, c.Version, c.Hashes[0].Content, sum)
		}
		delete(found, c.Name+"@"+c.Version)
	}
	if len(found) > 0 || len(modules) < 40 {
		t.Errorf("our list of %d modules lacks %v", len(modules), found)
	}
}

// go-licenses finds the file of a licence by its name, and recognizes its text by comparing it with
// the texts of all known licences.
func TestAnotherToolFindsTheSameLicences(t *testing.T) {
	_, modules := refereedModules(t)
	rows, err := csv.NewReader(bytes.NewReader(referee(t, "go-licenses", "report", "."))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}

	unseen := map[string]*module{}
	for _, m := range modules {
		unseen[m.path] = m
	}
	for _, row := range rows {
		path, licence := row[0], row[2] // path of the module, or of a package with a licence of its own
		if path == "tarmac" {
			continue
		}
		m := moduleOf(modules, path)
		if m == nil {
			t.Errorf("%s is not in our list", path)
			continue
		}
		delete(unseen, m.path)
		if licence == "Unknown" && slices.Equal(licencesOf(m.texts), []string{"MIT-0"}) {
			continue // go-licenses does not know this licence
		}
		if !strings.Contains(strings.Join(licencesOf(m.texts), " "), licence) {
			t.Errorf("%s has the licences %v in our list, and %s in the other", path, licencesOf(m.texts), licence)
		}
	}
	for path := range unseen {
		t.Errorf("the other list of %d rows lacks %s", len(rows), path)
	}
}

// moduleOf returns the module that a package belongs to: the one with the longest path that is a
// prefix of the package's.
func moduleOf(modules []*module, path string) *module {
	var found *module
	for _, m := range modules {
		if (path == m.path || strings.HasPrefix(path, m.path+"/")) && (found == nil || len(m.path) > len(found.path)) {
			found = m
		}
	}
	return found
}
