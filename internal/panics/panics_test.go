package panics_test

import (
	"strings"
	"testing"

	"tarmac/internal/panics"
)

func caught(do func()) (f *panics.Fault) {
	defer func() { f = panics.Describe(recover()) }()
	do()
	return nil
}

func TestAFaultTellsWhereItWasAndNoData(t *testing.T) {
	owed := map[string][]int{"Acme LLC": nil}
	for kind, do := range map[string]func(){
		"string at internal/panics_test.":              func() { panic("Acme LLC owes 1,234.56") },
		"runtime.boundsError at internal/panics_test.": func() { _ = owed["Acme LLC"][1234] },
	} {
		text := caught(do).Error()
		if !strings.Contains(text, kind) || strings.Contains(text, "Acme") || strings.Contains(text, "1234") ||
			strings.Contains(text, "\n") {
			t.Errorf("%s: it says %q", kind, text)
		}
	}
}

func TestAFaultThatIsPassedOnStaysWhatItWas(t *testing.T) {
	first := caught(func() { panic("x") })
	if again := caught(func() { panic(first) }); again != first {
		t.Errorf("%v became %v", first, again)
	}
}
