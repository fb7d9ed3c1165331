package terminal_test

import (
	"testing"

	"tarmac/ui/terminal"
)

func TestWhichTerminalsAreSentASCIIOnly(t *testing.T) {
	for name, c := range map[string]struct {
		environ map[string]string
		want    bool
	}{
		"no locale":                    {nil, false},
		"C":                            {map[string]string{"LANG": "C"}, true},
		"POSIX over all":               {map[string]string{"LC_ALL": "POSIX"}, true},
		"another charset":              {map[string]string{"LANG": "de_DE.ISO-8859-1"}, true},
		"no charset":                   {map[string]string{"LC_CTYPE": "de_DE"}, true},
		"UTF-8":                        {map[string]string{"LANG": "C.UTF-8"}, false},
		"utf8":                         {map[string]string{"LANG": "de_DE.utf8@euro"}, false},
		"characters in UTF-8":          {map[string]string{"LANG": "C", "LC_CTYPE": "C.UTF-8"}, false},
		"C over a language in UTF-8":   {map[string]string{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, false},
		"C over a language that is so": {map[string]string{"LC_ALL": "C", "LANG": "en_US"}, true},
	} {
		getenv := func(name string) string { return c.environ[name] }
		if got := terminal.ASCIIOnly("linux", getenv); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		if terminal.ASCIIOnly("windows", getenv) {
			t.Errorf("%s: Windows has no locale in the environment", name)
		}
	}
}
