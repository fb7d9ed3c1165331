package transactions

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestAClickOnAFilterTakesItOff(t *testing.T) {
	d := open(t, 300)
	d.press("d", "/")
	d.write("cloud")
	d.press("enter")
	d.says("[money in]", `["cloud"]`)
	click := func(text string) {
		for y, line := range strings.Split(ansi.Strip(d.View()), "\n") {
			if before, _, found := strings.Cut(line, text); found {
				d.drain(d.Click(ansi.StringWidth(before), y))
				return
			}
		}
		t.Fatalf("%q is not on the screen", text)
	}
	click("[money")
	if q := d.last(); q.Direction != "" || q.Keyword != "cloud" {
		t.Errorf("asked for %+v", q)
	}
	asked := len(d.server.queries)
	click("  row 1 of")
	d.press("/")
	click("Filter")
	d.press("esc")
	if len(d.server.queries) != asked {
		t.Error("a click beside the filters changed them")
	}
	click(`"cloud`)
	if d.says("no filter"); d.last().Keyword != "" {
		t.Errorf("asked for %+v", d.last())
	}
}
