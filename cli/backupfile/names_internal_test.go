package backupfile

import (
	"strings"
	"testing"
)

func TestNamesOfStatesHaveAtMost200CharactersAfterTheirKind(t *testing.T) {
	for name, want := range map[string]bool{
		"what-if-a.json": true,
		"filters-" + strings.Repeat("a", 200) + ".json": true,
		"filters-" + strings.Repeat("a", 201) + ".json": false,
		"filters-.json":    false,
		"filters-a/b.json": false,
		"others-a.json":    false,
	} {
		if got := isStateName(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
