package ui

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/mask"
	"tarmac/internal/money"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/overview"
	"tarmac/views/receivables"
	"tarmac/views/runway"
)

// written returns every way in which a screen may format the figures of the server's answers.
func written(a *api) []string {
	var forms []string
	for _, body := range a.bodies {
		for _, found := range regexp.MustCompile(`_cents":(-?\d{4,})`).FindAllStringSubmatch(body, -1) {
			cents, err := strconv.ParseInt(found[1], 10, 64)
			if err != nil {
				continue
			}
			forms = append(forms, found[1], money.Format(cents, "USD"), money.Format(cents, "JPY"), money.Short(cents, "USD"))
		}
	}
	return forms
}

// A masked screen shows no amount in any state at any width; an unmasked one does.
func TestMaskedNoScreenShowsAnAmount(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	forms := written(healthy())
	shown := func(d *dashboard) (found string) {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}} {
			d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			text := d.text()
			for _, form := range forms {
				if strings.Contains(text, form) {
					return form
				}
			}
		}
		return ""
	}
	for name, reach := range states() {
		d := reach(t)
		for _, p := range d.session.pages {
			d.reach(p)
			plain := shown(d)
			if name == "ready" && plain == "" && p.Digit != "" && p.Digit < "5" {
				t.Errorf("%s shows no amount at all", p.Title)
			}
			d.mask()
			if found := shown(d); found != "" {
				t.Errorf("%s, %s shows %s:\n%s", p.Title, name, found, d.text())
			}
			d.mask()
		}
	}
}

// Overlays and detail panes are masked too.
func TestMaskedDetailsShowNoAmount(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	d := open(t, healthy())
	for _, keys := range [][]string{{"4", "enter"}, {"6", "enter"}, {":"}} {
		d.press(keys...)
		d.mask()
		text := d.text()
		for _, form := range written(healthy()) {
			if strings.Contains(text, form) {
				t.Errorf("after %v it shows %s:\n%s", keys, form, text)
			}
		}
		d.mask()
	}
}

// The largest and smallest amounts that a server may send are masked too.
func TestMaskedFiguresOfEverySize(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	now := func() time.Time { return sample.Now }
	figure := regexp.MustCompile(`\$[\d.,]*\d|\d[\d,]*\.\d\d\b`)
	for name, data := range sample.States(t) {
		for _, screen := range []views.Screen{
			overview.New(views.Env{Snapshot: data, Now: now, Theme: theme.New(true)}),
			runway.New(views.Env{Snapshot: data, Now: now, Theme: theme.New(true)}, nil),
			receivables.New(views.Env{Snapshot: data, Now: now, Theme: theme.New(true)}, nil),
		} {
			for _, size := range [][2]int{{30, 12}, {80, 21}, {120, 37}, {200, 57}} {
				screen.SetSize(size[0], size[1])
				picture := mask.Text(screen.View())
				sample.CheckSize(t, picture, size[0], size[1])
				if found := figure.FindString(ansi.Strip(picture)); found != "" {
					t.Errorf("%s at %v shows %s:\n%s", name, size, found, ansi.Strip(picture))
				}
			}
		}
	}
}

func TestTheMaskIsSaidAndTakenOff(t *testing.T) {
	d := open(t, healthy())
	d.shows("$4,039,796.73")
	d.press("*")
	d.shows("amounts hidden", "amounts hidden; copying or exporting asks first", "•••")
	if !d.theme.Masked {
		t.Error("the screens are not told")
	}
	d.press("T")
	d.shows("amounts hidden", "•••")
	d.press("*")
	d.shows("$4,039,796.73")
}

func TestWhatIsCopiedIsMasked(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	d := open(t, healthy())
	d.press("*")
	for in, want := range map[string]string{"INV-000001": "INV-000001", `{"total_cents":123}`: `{"total_cents":•••}`,
		"$1,234.56": "•••"} {
		if got := fmt.Sprint(d.copy(views.Copy{What: "it", Text: in})()); strings.TrimSpace(got) != want {
			t.Errorf("%q is copied as %q", in, got)
		}
	}
}

func TestHiddenAmountsLeaveTheOrganizationsID(t *testing.T) {
	a := healthy()
	a.bodies["/account"] = strings.Replace(a.bodies["/account"], "org_test", `org_\u001b[31m$12,500.00`, 1)
	d := open(t, a)

	d.press("tab", "enter")
	for _, size := range [][2]int{{120, 40}, {200, 60}} {
		d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		d.shows("Organization org_$12,500.00 ")
		d.press("*")
		d.shows("amounts hidden", "Organization org_$12,500.00 ")
		d.press("*")
	}
}
