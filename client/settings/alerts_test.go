package settings_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"tarmac/client/settings"
)

func TestCommandsKeepTheCommentsAroundAlerts(t *testing.T) {
	const content = `# mine
theme = "dark"

# the bank told us so
[[alert]]
rule = "runway-below"
limit = 9
# more of them

[[alert]] # second
rule = "overdue"
to = ["mail"]

[[channel]]
name = "mail"
kind = "command"
command = ["true"]
`
	home, path := put(t, content)
	file := load(t, home)
	if got := file.Settings.Alerts; len(got) != 2 || got[0].Limit != "9" || !reflect.DeepEqual(got[1].To,
		[]string{"mail"}) {
		t.Fatalf("%+v", got)
	}
	added, err := file.AddAlert(settings.Alert{Rule: "payment-above", Limit: "10k", Of: `A "B"`})
	if err != nil {
		t.Fatal(err)
	}
	after, _ := os.ReadFile(path)
	want := content + "\n[[alert]]\nrule = \"payment-above\"\nlimit = \"10k\"\nof = \"A \\\"B\\\"\"\n"
	if string(after) != want {
		t.Fatalf("added:\n%s", after)
	}
	if added, err = added.RemoveAlert(2); err != nil {
		t.Fatal(err)
	}
	if after, _ = os.ReadFile(path); strings.TrimSpace(string(after)) != strings.TrimSpace(content) {
		t.Fatalf("added and removed:\n%s", after)
	}
	if added, err = added.RemoveAlert(0); err != nil {
		t.Fatal(err)
	}
	after, _ = os.ReadFile(path)
	for _, want := range []string{"# mine\n", "# the bank told us so\n", "# more of them\n", "[[alert]] # second\n"} {
		if !strings.Contains(string(after), want) {
			t.Errorf("it lacks %q:\n%s", want, after)
		}
	}
	if added, err = added.AddChannel(settings.Channel{Name: "phone", Kind: "ntfy", To: "t", Public: true}); err != nil {
		t.Fatal(err)
	}
	if _, err = added.RemoveChannel(0); err != nil {
		t.Fatal(err)
	}
	if got := load(t, home).Settings; len(got.Alerts) != 1 || len(got.Channels) != 1 || !got.Channels[0].Public {
		t.Errorf("%+v", got)
	}
}
