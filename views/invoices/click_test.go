package invoices_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/views"
)

// click clicks the first occurrence of a text.
func (d *fixture) click(text string) {
	d.t.Helper()
	for y, line := range strings.Split(ansi.Strip(d.View()), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			d.run(d.Click(ansi.StringWidth(before), y))
			return
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.text())
}

func TestAClickOnAStatusTurnsToItsList(t *testing.T) {
	d := open(t, 30)
	d.click("overdue")
	d.shows("row 1 of 6")
	d.click("draft")
	if got := d.server.requests[len(d.server.requests)-1]; got != "draft 200" {
		t.Errorf("asked for %s", got)
	}
	d.SetSize(30, 24) // only the name of one list fits
	d.click("draft")
	d.shows("‹ sent ›")
	asked := len(d.server.requests)
	d.run(d.Click(29, 0))
	d.run(d.Click(-1, 0))
	if len(d.server.requests) != asked {
		t.Error("a click beside the names turned to another list")
	}
}

func TestAClickOnAFilterTakesItOff(t *testing.T) {
	d := build(t, 30)
	d.run(d.Show(views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: "Northwind Traders"}))
	d.press("/")
	d.write("INV")
	d.run(d.Click(1, 1)) // clicks are ignored while a text is typed
	d.press("enter")
	d.shows("[Northwind Traders]", `["INV"]`)
	d.click("[Northwind")
	d.shows(`["INV"]`, "row 3 of 6")
	d.hides("[Northwind")
	d.click(`["INV`)
	d.shows("no filter")
}

func TestTheListIsExportedAsItIsShown(t *testing.T) {
	d := open(t, 30)
	d.press("/")
	d.write("müller")
	d.press("enter", "e")
	if path := filepath.Join(d.dir, "invoices-m-ller.csv"); !d.Typing() || !strings.Contains(d.text(), path) {
		t.Fatalf("%s is not offered:\n%s", path, d.text())
	}
	d.press("enter")
	text, err := os.ReadFile(filepath.Join(d.dir, "invoices-m-ller.csv"))
	if err != nil || d.Typing() {
		t.Fatalf("%v; told: %q, still typing: %t", err, d.said, d.Typing())
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 11 || !strings.HasPrefix(lines[0], "id,number,status,currency,") ||
		!strings.HasPrefix(lines[1], "inv_28,INV-000028,overdue,USD,Consulting,Müller & Söhne,") {
		t.Errorf("%d lines:\n%s\n%s", len(lines), lines[0], lines[1])
	}
	d.press("/")
	d.write("nobody")
	d.press("enter")
	if d.helpLists("e") {
		t.Error("an empty list can be exported")
	}
}
