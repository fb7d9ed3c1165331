package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEachDirectRequirementIsDefended(t *testing.T) {
	page, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	licences := map[string]string{}
	for _, row := range regexp.MustCompile(
		"(?m)^\\| `([^`]+)` \\| [^|]+ \\| ([^|]+) \\| [^|]+ \\|\\r?$").FindAllStringSubmatch(string(page), -1) {
		licences[row[1]] = row[2]
	}
	cmd := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(commandError("go mod edit", err))
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Replace []struct{}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if len(mod.Replace) > 0 {
		t.Error("go.mod replaces a module: what is built would not be what it names")
	}
	inProgram := map[string]string{}
	for _, m := range modulesHere(t) {
		ids := slices.DeleteFunc(licencesOf(m.texts), func(id string) bool { return strings.HasPrefix(id, "LicenseRef-") })
		inProgram[m.path] = strings.Join(ids, ", ")
	}
	for _, r := range mod.Require {
		if r.Indirect {
			continue
		}
		said, ok := licences[r.Path]
		delete(licences, r.Path)
		shipped, built := inProgram[r.Path]
		switch testsOnly := strings.HasSuffix(said, ", tests only"); {
		case !ok:
			t.Errorf("docs/dependencies.md does not defend %s; add: | `%s` | what for | %s | why not our own, or another |",
				r.Path, r.Path, shipped)
		case testsOnly == built:
			t.Errorf("%s says %q, and in the program: %v", r.Path, said, built)
		case built && !strings.Contains(shipped, said):
			t.Errorf("the licence of %s is %s, not %s", r.Path, shipped, said)
		}
	}
	for path := range licences {
		t.Errorf("docs/dependencies.md defends %s, which go.mod does not ask for", path)
	}
}

func TestTheCopyOfAdvisoriesCoversEachModuleInTheProgram(t *testing.T) {
	list, err := os.ReadFile("../../.ci/vulndb.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modulesHere(t) {
		if strings.Contains(m.path, ".") && !strings.Contains(string(list), "\ncovers "+m.path+"\n") {
			t.Errorf(".ci/vulndb.txt lacks %s; run .ci/vulncheck copy", m.path)
		}
	}
}
