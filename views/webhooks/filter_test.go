package webhooks

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestATextFiltersTheListThatHasTheKeys(t *testing.T) {
	for name, c := range map[string]struct {
		keys       []string
		text       string
		endpoints  int
		deliveries int
		shows      string
	}{
		"endpoints by URL":       {nil, "STAGING", 1, 0, `[endpoints: "STAGING"]`},
		"endpoints by status":    {nil, "disabled", 1, 0, "old.example.com"},
		"endpoints by type":      {nil, "payment.failed", 1, 3, "hooks.example.com"},
		"no endpoint":            {nil, "zzz", 0, 0, "No endpoints match. x removes the last filter."},
		"deliveries by status":   {[]string{"enter"}, "failed", 3, 2, "2 of the latest 3"},
		"deliveries by code":     {[]string{"enter"}, "503", 3, 1, "1 of the latest 3"},
		"deliveries by event id": {[]string{"enter"}, "EVT_1", 3, 1, "timeout"},
		"no delivery":            {[]string{"enter"}, "zzz", 3, 0, "No deliveries match. x removes the last filter."},
	} {
		d := open(t)
		d.press(append(c.keys, "/")...)
		d.write(c.text)
		d.press("enter")
		if len(d.endpoints.All()) != c.endpoints || len(d.deliveries.All()) != c.deliveries || !d.Filtered() {
			t.Errorf("%s: %d endpoints and %d deliveries", name, len(d.endpoints.All()), len(d.deliveries.All()))
		}
		d.shows(c.shows)
		d.press("x")
		if d.Filtered() || len(d.endpoints.All()) != 3 {
			t.Errorf("%s: x leaves %d endpoints", name, len(d.endpoints.All()))
		}
	}
}

func TestAFilterThatIsGivenUpLeavesTheListAsItWas(t *testing.T) {
	d := open(t)
	d.press("/")
	d.write("old")
	d.press("enter", "/")
	d.write("zzz")
	if !d.Typing() || len(d.endpoints.All()) != 0 {
		t.Fatalf("%d endpoints while typing", len(d.endpoints.All()))
	}
	d.press("esc")
	d.shows(`[endpoints: "old"]`)
	if len(d.endpoints.All()) != 1 || d.log.Key != "wh_01BROKENBROKENMNOPQR" {
		t.Errorf("%d endpoints, %s is chosen", len(d.endpoints.All()), d.log.Key)
	}
}

// A write applies to the endpoint shown under the cursor, whatever the filter hides.
func TestAWriteIsAboutTheEndpointThatIsSeen(t *testing.T) {
	d := open(t)
	d.press("/")
	d.write("staging")
	d.press("enter", "D")
	d.shows("Delete this endpoint?", "staging.example.com")
}

func TestANewEndpointIsSeenWhateverTheFilter(t *testing.T) {
	d := open(t)
	d.press("/")
	d.write("old")
	d.press("enter", "n")
	d.write("https://new.example.com")
	d.press("enter", "a", "enter", "esc", "esc")
	if d.Filtered() || len(d.endpoints.All()) != 4 {
		t.Errorf("%d endpoints are seen", len(d.endpoints.All()))
	}
}

func TestAClickOnAFilterTakesItOff(t *testing.T) {
	d := open(t)
	d.press("/")
	d.write("hooks")
	d.press("enter", "enter", "/")
	d.write("failed")
	d.press("enter")
	line, _, _ := strings.Cut(ansi.Strip(d.View()), "\n")
	at := strings.Index(line, "deliveries")
	if at < 0 {
		t.Fatalf("no filter stands in %q", line)
	}
	d.run(d.Click(at, 0))
	if d.deliveries.Text != "" || d.endpoints.Text != "hooks" {
		t.Errorf("filtered by %q and %q", d.endpoints.Text, d.deliveries.Text)
	}
}
