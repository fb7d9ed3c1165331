package webhooks

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/endpoint"
)

// click clicks on the last occurrence of a text.
func (d *fixture) click(text string) {
	lines := strings.Split(ansi.Strip(d.View()), "\n")
	for y := len(lines) - 1; y >= 0; y-- {
		if before, _, found := strings.Cut(lines[y], text); found {
			d.run(d.Click(ansi.StringWidth(before), y))
			return
		}
	}
	panic(text + " is not on the screen")
}

func TestClicksGoToEndpointsAndDeliveriesAndOpenThem(t *testing.T) {
	d := open(t)
	all, _ := d.all.Value()
	lowest := all[len(all)-1]
	d.click(endpoint.Host(lowest.URL))
	if d.log.Key != lowest.ID || d.focus() != onEndpoints {
		t.Fatalf("at %d, on %s", d.focus(), d.log.Key)
	}
	d.press("g")
	d.click("Deliveries")
	if d.focus() != onDeliveries {
		t.Fatalf("a click into the deliveries leaves the keys at %d", d.focus())
	}
	d.press("G")
	if d.deliveries.Table.Reach() == 0 {
		t.Fatal("there is no delivery to open")
	}
	last := d.deliveries.Current()
	d.click(string(last.EventType))
	if d.focus() != onDelivery {
		t.Errorf("a click on the delivery under the cursor did not open it: %d", d.focus())
	}
}

func TestAClickDoesNothingInAForm(t *testing.T) {
	d := open(t)
	d.press("n")
	before := d.text()
	for y := range d.Height {
		d.run(d.Click(5, y))
	}
	if d.text() != before || !d.form.Open() {
		t.Errorf("it did:\n%s", d.text())
	}
}
