package ui

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/internal/testsupport/screen"
	"tarmac/internal/testsupport/unrated"
	"tarmac/views"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// inMemory answers requests with a handler, without a network.
type inMemory struct{ http.Handler }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	answer := w.Result()
	answer.Request = r
	return answer, nil
}

// ofCompany returns a dashboard with all figures of a company that has rows without a USD rate, and
// its export directory.
func ofCompany(t *testing.T, c unrated.Company) (*dashboard, string) {
	t.Helper()
	client, err := apiclient.New(
		"http://127.0.0.1:1",
		"svc_org_test",
		apiclient.WithHTTPClient(&http.Client{Transport: inMemory{c}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	d, dir := &dashboard{t: t, now: c.Now}, t.TempDir()
	d.Model = New(t.Context(), Options{
		Now: func() time.Time { return d.now }, Timeout: time.Minute,
		Documents: Documents{Places: export.Directories{Documents: dir}},
	})
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	p := &Profile{
		Name: "test",
		Open: func(context.Context) (Connection, error) { return Connection{Client: client, Profile: "test"}, nil },
	}
	_, cmd := d.Update(d.Model.connect(p, p, false)())
	d.drain(cmd)
	return d, dir
}

// Every sum that leaves rows out is marked, on any screen at any size; a sum of unknown amounts
// only is not shown as an amount; and complete sums are not marked.
func TestEverySumSaysWhatItLeavesOut(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	for name, c := range unrated.Companies(noon) {
		t.Run(name, func(t *testing.T) {
			d, _ := ofCompany(t, c)
			for _, p := range d.session.pages {
				if d.reach(p); p.Name == views.Transactions {
					d.press("enter")
				}
				checkSizes(d, c, p.Name)
			}
			if c.Rated == unrated.None {
				return // without an estimate a plan comes to nothing
			}
			d.press("2", "n")
			for _, r := range "overdue" {
				d.press(string(r))
			}
			if d.press("enter"); !strings.Contains(d.text(), "P plan ") {
				t.Fatalf("there is no plan:\n%s", d.text())
			}
			d.after(time.Minute) // the notice below the page disappears
			checkSizes(d, c, "a plan")
		})
	}
}

// checkSizes checks the screen in front at common window sizes.
func checkSizes(d *dashboard, c unrated.Company, what string) {
	d.t.Helper()
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {80, 30}, {100, 24}, {120, 40}, {200, 60}} {
		d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		text := d.text()
		for _, wrong := range c.FalseStatements(screen.WithSigns(text), ahead, ahead6, ahead3) {
			d.t.Errorf("%s at %dx%d: %s\n%s", what, size[0], size[1], wrong, text)
		}
		joined := strings.Join(strings.Fields(text), " ")
		said := "linked"
		if c.Rated == unrated.None {
			said = "No estimate: "
		}
		if strings.Contains(text, "Cash on hand") && c.Caveat() != "" && !strings.Contains(joined, said) {
			d.t.Errorf("%s at %dx%d: what the runway leaves out is not said:\n%s", what, size[0], size[1], text)
		}
	}
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
}

// ahead is the cash in twelve months, ahead6 and ahead3 that in fewer. They leave nothing out.
const (
	ahead          = 237_218_849 - 12*16_701_311
	ahead6, ahead3 = 237_218_849 - 6*16_701_311, 237_218_849 - 3*16_701_311
)

func TestEverySumThatIsCopiedSaysWhatItLeavesOut(t *testing.T) {
	for name, c := range unrated.Companies(noon) {
		t.Run(name, func(t *testing.T) {
			d, _ := ofCompany(t, c)
			for digit, figures := range map[string]string{"1": "y", "2": "y", "3": "Y"} {
				d.press(digit)
				copied, ok := d.front().Update(keyPress(figures))().(views.Copy)
				if !ok || !strings.Contains(copied.Text, "$") && c.Rated != unrated.None {
					t.Fatalf("page %s: copied %q", digit, copied.Text)
				}
				for _, wrong := range c.FalseStatements(copied.Text) {
					t.Errorf("page %s: %s\n%s", digit, wrong, copied.Text)
				}
			}
		})
	}
}

func TestTheExportOfTheBucketsSaysWhatTheyLeaveOut(t *testing.T) {
	for name, want := range map[string]string{"all": ",0\r\n", "some": ",3\r\n", "none": ",—,—,12\r\n"} {
		c := unrated.Companies(noon)[name]
		d, dir := ofCompany(t, c)
		d.press("3", "tab", "e", "enter")
		text, err := os.ReadFile(filepath.Join(dir, "receivables.csv"))
		if n := strings.Count(string(text), want); err != nil || n != 5 {
			t.Errorf("%s: %d rows end in %q, %v:\n%s", name, n, want, err, text)
		}
	}
}

// A month without rows has the sum zero; a month of unknown amounts has no sum.
func TestAnEmptyMonthIsNothingAndAnUnknownOneADash(t *testing.T) {
	for name, want := range map[string]string{"all": "2026-06 0 0 0 ", "some": "2026-05 — — — "} {
		c := unrated.Companies(noon)[name]
		d, _ := ofCompany(t, c)
		d.press("2")
		line := ""
		for l := range strings.SplitSeq(d.text(), "\n") {
			if strings.Contains(l, "│ "+want[:7]+" ") {
				line = strings.Join(strings.Fields(l), " ")
			}
		}
		if !strings.Contains(line, want) {
			t.Errorf("%s: the month is %q, want %q:\n%s", name, line, want, d.text())
		}
	}
}

var anyAmount = regexp.MustCompile(`\$[0-9kMBT]`)

func TestAMaskedSumShowsNoDigit(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	for name, c := range unrated.Companies(noon) {
		d, _ := ofCompany(t, c)
		d.press("*")
		for _, digit := range []string{"1", "2", "3", "4"} {
			d.press(digit)
			if text := d.text(); anyAmount.MatchString(text) {
				t.Errorf("%s, page %s: an amount is seen:\n%s", name, digit, text)
			}
		}
	}
}

// Invalid dates from the server produce no month in which the cash runs out.
func TestAZeroMonthIsNotCountedFromABadDate(t *testing.T) {
	for _, asOf := range []string{"0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9998-12-31T23:59:59Z"} {
		a := healthy()
		a.bodies["/insights/cash-position"] = strings.ReplaceAll(
			a.bodies["/insights/cash-position"],
			"2026-11-20T12:00:00Z",
			asOf,
		)
		d := open(t, a)
		for _, digit := range []string{"1", "2"} {
			d.press(digit)
			for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
				d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				text := strings.Join(strings.Fields(d.text()), " ")
				unknown := strings.Contains(text, "Zero-cash (est.) —")
				if size[0] > 40 {
					unknown = !strings.Contains(text, "until ")
				}
				if !unknown || strings.Contains(text, asOf[:4]) {
					t.Errorf("as of %s, page %s at %v:\n%s", asOf, digit, size, d.text())
				}
			}
		}
	}
}
