package books

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
)

// asking returns the page at the first question of a first import: the company's name, the account
// of a file, and the balance of another account.
func asking(t *testing.T) *fixture {
	d := fresh(t, func(b *bank) {
		b.report.General = []ownbooks.Question{ownbooks.NameQuestion("Kilmore Labs Limited")}
		b.question = &ownbooks.Question{
			File: 1, Name: "/x/b.csv", Reason: "the file does not say which account it is of", Flag: "--account",
			Choices: []string{"…6789"}, Labels: []string{"AIB …6789 EUR"}, Proposed: "Wise GBP", Currency: "GBP",
			Samples: []string{"2026-09-30 · -40.00 GBP · Priya Shah"},
		}
		q := ownbooks.BalanceQuestion("Main", "N26 Main", "EUR", civil.New(2026, 9, 30), false)
		b.report.Balances = []ownbooks.Question{q}
	})
	d.press("enter")
	return d
}

func TestEnterGoesOnWithWhatTheFilesPropose(t *testing.T) {
	d := asking(t)
	d.shows("Your company", "Kilmore Labs Limited")
	d.press("enter")
	d.shows("Which account is this?", "b.csv", "2026-09-30 · -40.00 GBP · Priya Shah", "> Wise GBP", "a new account",
		"AIB …6789 EUR", "skip", "leave this file out")
	d.press("enter")

	if a := d.bank.batch.Answers; len(a) != 2 || a[0].Text != "Kilmore Labs Limited" || a[1].Text != "Wise GBP" {
		t.Errorf("the answers are %+v", a)
	}
}

func TestATypedNameOfAnAccountReplacesTheChosenOne(t *testing.T) {
	d := asking(t)
	d.press("enter")
	d.write("Pounds")
	d.hides("> Wise GBP")
	d.press("enter")

	if a := d.bank.batch.Answers; len(a) != 2 || a[1].Text != "Pounds" {
		t.Errorf("the answers are %+v", a)
	}
}

func TestGoingBackLosesNoAnswer(t *testing.T) {
	d := asking(t)
	d.write("Kilmore Ltd")
	d.press("enter", "down", "down", "enter")
	d.shows("N26 Main", "30 Sep 2026")
	d.write("1200")

	d.press("esc")
	d.shows("Which account is this?", "> skip")
	d.press("esc")
	d.shows("Name Kilmore Ltd")
	d.press("esc")
	d.shows("files ticked")
	d.press("enter", "enter", "enter")

	d.shows("Balance 1200")
	d.press("enter")
	a := d.bank.batch.Answers
	if len(a) != 3 || a[0].Text != "Kilmore Ltd" || a[1].Text != ownbooks.Skip || a[2].Text != "1200" {
		t.Fatalf("the answers are %+v", a)
	}
	d.press("esc")
	d.shows("Balance 1200")
}

func TestAnswersStayWhenAnotherFileIsLeftOut(t *testing.T) {
	d := asking(t)
	d.press("enter", "enter", "enter")
	d.shows("Nothing is imported yet")
	d.press("n", " ", "enter")

	if a := d.bank.batch.Answers; len(a) != 3 || a[1].Text != "Wise GBP" || a[1].Question.File != 0 {
		t.Errorf("of the files %q, the answers are %+v", d.bank.batch.Files, a)
	}
}

func TestNamesThatDoNotFitAreCut(t *testing.T) {
	for _, name := range []string{
		strings.Repeat("long ", 80), strings.Repeat("日本é", 100), strings.Repeat("שלום ", 80), "\u202eevil\u202c",
	} {
		d := asking(t)
		d.bank.question.Labels[0], d.bank.question.Proposed, d.bank.question.Samples[0] = name, name, name
		d.bank.question.Name = "/x/" + name
		d.press("enter")
		for _, size := range [][2]int{{20, 5}, {40, 10}, {80, 21}, {120, 37}, {200, 57}} {
			d.SetSize(size[0], size[1])
			lines := strings.Split(d.View(), "\n")
			if len(lines) != size[1] {
				t.Errorf("%q at %v: %d lines", name[:8], size, len(lines))
			}
			for _, line := range lines {
				if w := ansi.StringWidth(line); w != size[0] {
					t.Errorf("%q at %v: %d cells: %q", name[:8], size, w, line)
					break
				}
			}
		}
	}
}
