package propose

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/internal/civil"
	"tarmac/views"
)

// at describes the position of the cursor.
func at(d *fixture) string {
	typing := ""
	if d.State().Typing {
		typing = " typing"
	}
	return fmt.Sprintf("%d%s", d.form.at, typing)
}

func TestEveryKeyOfTheForm(t *testing.T) {
	for _, c := range []struct {
		keys, want string // want is the position and whether its field has the focus
	}{
		{"", "0 typing"},
		{"tab", "1 typing"}, {"enter", "1 typing"}, {"down", "1 typing"}, {"shift+tab", "0 typing"},
		{"tab tab up", "1 typing"},
		{"tab tab tab tab tab", "5 typing"}, {"down down down down down down", "8"}, {"tab tab tab tab tab tab tab tab", "8"},
		{"tab tab tab tab tab tab tab tab shift+tab", "7 typing"}, {"tab tab tab tab tab tab tab tab tab", "9"},
		{"esc", "0"}, {"esc enter", "0 typing"}, {"esc i", "0 typing"}, {"esc j", "1"}, {"esc down", "1"}, {"esc j k", "0"},
		{"esc k", "0"},
		{"esc G", "9"}, {"esc G g", "0"}, {"esc end home", "0"}, {"esc l", "1"}, {"esc tab", "1"}, {"esc right left", "0"},
		{"esc tab shift+tab", "0"},
		{"esc j j j j j j", "8"}, {"esc j j j j j l j k", "5"}, {"esc G G", "9"}, {"esc G k k k", "4"},
		{"esc G esc tab", "9"},
		{"esc a", "8 typing"}, {"esc G k enter", "5 typing"}, {"ctrl+o", "8 typing"}, {"esc a shift+tab", "7 typing"},
		{"esc ctrl+o", "8 typing"},
		{"esc a x", "8 typing"}, {"esc a esc x", "5"}, {"esc a ctrl+x", "5"}, {"esc j j j j j x", "5"},
		{"esc a alt+up", "5 typing"}, {"esc a esc K", "5"}, {"esc a esc K J", "8"}, {"esc a alt+up alt+down", "8 typing"},
		{"esc a alt+down", "8 typing"},
		{"ctrl+s", "0 typing"}, {"esc G enter", "0 typing"}, {"esc ctrl+s", "0 typing"}, {"esc D", "0"}, {"esc J", "0"},
	} {
		d := open(t)
		if c.keys != "" {
			d.press(strings.Fields(c.keys)...)
		}
		if got := at(d); got != c.want {
			t.Errorf("%q leads to %s, want %s", c.keys, got, c.want)
		}
	}
}

func TestEnterHeldDownAddsNoMoreThanALine(t *testing.T) {
	d := open(t)
	d.fill()
	for range 200 {
		d.pressNow("enter")
	}
	if len(d.form.lines) != 2 || d.step != filling {
		t.Errorf("%d lines, step %d", len(d.form.lines), d.step)
	}
}

func TestEscLeavesTheFieldAndThenThePage(t *testing.T) {
	d := open(t)
	d.write("Contoso")
	d.press("esc")
	if d.State().Typing || d.form.name.Value() != "Contoso" {
		t.Errorf("after esc: %q, typing %v", d.form.name.Value(), d.State().Typing)
	}
	if d.Back() {
		t.Error("the page stays")
	}
	if kept, err := d.saved(); err != nil || kept.RecipientName != "Contoso" {
		t.Errorf("the draft is %+v, %v", kept, err)
	}
	d.fill()
	d.press("tab", "enter")
	if !d.Back() && d.step == reviewing {
		t.Error("esc does not lead from the review to the form")
	}
}

func TestAnEmptyFormThatWasLeftOpensAsTheFirstTime(t *testing.T) {
	d := open(t)
	d.run(d.Show(views.ProposeTarget{}))
	first := d.text()
	d.press("tab", "tab", "esc")
	d.says("! must not be empty")

	d.run(d.Show(views.ProposeTarget{}))

	if resend := d.text(); resend != first {
		t.Errorf("it opens as\n%s\nand the first time as\n%s", resend, first)
	}
}

func TestTheReviewNamesTheKeyThatLeadsBackToTheForm(t *testing.T) {
	d := openReview(t)
	d.says("c to return to the form")

	d.press("c")

	if d.step != filling {
		t.Error("c does not lead to the form")
	}
}

func TestALineInWhichSomethingWasTypedIsRemovedAfterAQuestion(t *testing.T) {
	d := open(t)
	d.fill()
	d.press("esc", "k", "x")
	d.says("Remove this line?")
	d.press("n")
	if d.form.lines[0].blank() {
		t.Fatal("n removes it")
	}
	d.press("x", "y")
	if len(d.form.lines) != 1 || !d.form.lines[0].blank() {
		t.Errorf("%d lines", len(d.form.lines))
	}
	if kept, err := d.saved(); err != nil || kept.Lines[0] != (draft.Line{}) {
		t.Errorf("the draft is %+v, %v", kept, err)
	}
}

func TestAHundredLinesAreAllThereCanBe(t *testing.T) {
	d := open(t)
	d.press("esc")
	for range 120 {
		d.press("ctrl+o")
	}
	if len(d.form.lines) != apiclient.MaxLineItems {
		t.Errorf("%d lines", len(d.form.lines))
	}
}

func TestProblemsAreToldByTheirFieldWhenItIsLeft(t *testing.T) {
	d := open(t)
	d.press("tab")
	d.says("! must not be empty")
	d.write("Contoso <a@contoso.example>")
	d.silent("such as pay@acme.example")
	d.press("tab")
	d.says("! must be an e-mail address such as pay@acme.example")
	d.press("tab")
	d.write("soon")
	d.press("tab")
	d.says("! must be a date such as 2026-12-31")
	d.press("tab", "tab", "tab")
	d.write("1,20")
	d.press("tab")
	d.says(
		"description: must not be empty",
		"quantity: must be a number such as 12.5",
		"unit price: must be an amount such as",
	)
}

// A field writes out its value when the cursor leaves it.
func TestTheFormShowsWhatItUnderstood(t *testing.T) {
	d := open(t)
	d.press("tab", "tab", "tab")
	d.write("in 30 days")
	d.says("in 30 days", "2026-12-20")
	d.press("tab", "tab", "tab")
	d.write("12.5 hours")
	d.press("tab")
	d.write("$1.5k")
	d.says("$18,750.00")
	d.press("tab")
	d.says("2026-12-20", "12.5 ", "1,500.00")
	d.silent("hours")
	d.silent("1.5k")
}

func TestTheReviewLeadsToTheFirstFieldThatIsWrong(t *testing.T) {
	d := open(t)
	d.fill()
	d.press("esc", "g", "j", "enter")
	d.write("@")
	d.press("ctrl+s")
	if at(d) != "1 typing" || d.step != filling {
		t.Errorf("step %d at %s", d.step, at(d))
	}
	d.press("backspace", "ctrl+s")
	if d.step != reviewing {
		t.Errorf("step %d:\n%s", d.step, d.text())
	}
}

func TestNetTermsBecomeADate(t *testing.T) {
	d := open(t)
	d.press("tab", "tab", "tab", "ctrl+n")
	for _, want := range []string{"2026-12-05", "2026-12-20", "2027-01-19", "2026-12-05"} {
		if got := d.form.due.Value(); got != want {
			t.Errorf("due %q, want %q", got, want)
		}
		d.press("ctrl+n")
	}
}

func TestAPasteIsTakenIntoTheFieldAlone(t *testing.T) {
	d := open(t)
	d.run(d.Update(tea.PasteMsg{Content: "Contoso\nLtd\x1b[2J" + strings.Repeat("x", 5<<20)}))
	if got := d.form.name.Value(); !strings.HasPrefix(got, "Contoso Ltdx") || len(got) > 300 {
		t.Errorf("%d bytes: %.40q", len(got), got)
	}
	d.press("tab")
	d.says("must not be longer than 200 characters")
	d.press("esc")
	d.run(d.Update(tea.PasteMsg{Content: "more"}))
	if d.form.email.Value() != "" {
		t.Errorf("between the fields it took %q", d.form.email.Value())
	}
}

// Totals equal the service's: each line is rounded half up, then the lines are added.
func TestTotalsAreExact(t *testing.T) {
	today := civil.MustParse("2026-11-20")
	rapid.Check(t, func(t *rapid.T) {
		var kept draft.Draft
		sum := new(big.Int)
		for range rapid.IntRange(1, 12).Draw(t, "lines") {
			millionths := rapid.Int64Range(1, 99_999_999).Draw(t, "millionths")
			cents := rapid.Int64Range(1, 9_999_999).Draw(t, "cents")
			product := new(big.Int).Mul(big.NewInt(millionths), big.NewInt(cents))
			amount := product.Add(product, big.NewInt(500_000)).Quo(product, big.NewInt(1_000_000))
			if amount.Sign() == 0 {
				continue
			}
			sum.Add(sum, amount)
			kept.Lines = append(kept.Lines, draft.Line{
				Description: "x",
				Quantity:    fmt.Sprintf("%d.%06d", millionths/1_000_000, millionths%1_000_000),
				UnitPrice:   fmt.Sprintf("%d.%02d", cents/100, cents%100),
			})
			if rapid.Bool().Draw(t, "blank") {
				kept.Lines = append(kept.Lines, draft.Line{})
			}
		}
		if sum.Sign() == 0 {
			return
		}
		f := newForm()
		f.fill(kept)
		r := f.parse(today)
		if total, err := r.proposal.Total(); err != nil || total != sum.Int64() {
			t.Fatalf("%+v come to %d, %v; want %v", kept.Lines, total, err, sum)
		}
		for at, text := range r.problems {
			if strings.HasPrefix(text, "line") || at == &f.lines[0].price.Text {
				t.Fatalf("a problem: %s", text)
			}
		}
	})
}

// A draft that is filled into the form and copied back is unchanged.
func TestTheFormKeepsWhatADraftHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab 1,.株é-")), 0, 30, -1)
		line := func(i int) draft.Line {
			short := rapid.StringOfN(rapid.RuneFrom([]rune("12.,x")), 0, 12, -1)
			return draft.Line{
				Description: strings.TrimSpace(text.Draw(t, "what")),
				Quantity:    short.Draw(t, "quantity"),
				UnitPrice:   short.Draw(t, "price"),
			}
		}
		d := draft.Draft{
			RecipientName: strings.TrimSpace(text.Draw(t, "name")),
			Notes:         strings.TrimSpace(text.Draw(t, "notes")),
		}
		for i := range rapid.IntRange(1, 5).Draw(t, "lines") {
			d.Lines = append(d.Lines, line(i))
		}
		f := newForm()
		f.fill(d)
		if f.differsFrom(d) {
			var got draft.Draft
			f.copyTo(&got)
			t.Fatalf("%+v became %+v", d, got)
		}
	})
}
