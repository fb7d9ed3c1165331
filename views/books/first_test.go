package books

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/ownbooks"
	"tarmac/views"
)

// fresh returns the page at the first step of the first import, with two files in the downloads.
func fresh(t *testing.T, change ...func(*bank)) *fixture {
	d := open(t, append(change, func(b *bank) {
		b.contents = emptyBooks()
		b.downloads = []ownbooks.BankFile{
			{Path: "/home/ada/Downloads/a.qfx", Name: "a.qfx", Format: "ofx"},
			{Path: "/home/ada/Downloads/b.csv", Name: "b.csv", Format: "csv"},
		}
	})...)
	d.run(d.Show(views.BooksTarget{Import: true}))
	return d
}

func TestTheFirstImportTicksTheFilesInTheDownloads(t *testing.T) {
	d := fresh(t)
	d.shows("[1 Files] 2 Check 3 Questions 4 Done",
		"In ~/Downloads: 2 of 2 files ticked. Nothing is imported before you say yes.", "[x] a.qfx ofx", "[x] b.csv csv")
	d.press("down", " ")
	d.shows("1 of 2 files ticked", "[x] a.qfx", "[ ] b.csv")
	d.press("esc", "n")
	d.shows("[ ] b.csv")
	d.press("enter")
	if want := []string{"/home/ada/Downloads/a.qfx"}; !slices.Equal(d.bank.batch.Files, want) {
		t.Errorf("it previews %q", d.bank.batch.Files)
	}
}

func TestPathsThatArePastedJoinTheTickedFiles(t *testing.T) {
	d := fresh(t)
	d.run(d.Update(tea.PasteMsg{Content: "statement.qfx"}))
	d.press("enter")
	if files := d.bank.batch.Files; len(files) != 3 || files[1] != "/home/ada/Downloads/a.qfx" {
		t.Errorf("it previews %q", files)
	}
}

func TestALaterImportTicksNothing(t *testing.T) {
	d := open(t, func(b *bank) {
		b.downloads = []ownbooks.BankFile{{Path: "/home/ada/Downloads/a.qfx", Name: "a.qfx", Format: "ofx"}}
	})
	d.press("n")
	d.shows("[ ] a.qfx")
	d.press("p")
	d.write("open.csv")
	d.press("enter")
	if files := d.bank.batch.Files; len(files) != 1 {
		t.Errorf("it previews %q", files)
	}
}

func TestTheFirstImportAsksNameAndCurrencyAndEndsWithWhatIsMissing(t *testing.T) {
	d := fresh(t, func(b *bank) {
		b.report.General = []ownbooks.Question{
			ownbooks.NameQuestion(""), ownbooks.CurrencyQuestion([]string{"USD", "EUR"}, "90 lines in USD, 12 lines in EUR"),
		}
	})
	d.press("enter")
	d.shows("Your company", "[3 Questions]")
	d.press("enter")
	d.shows("! Type an answer")
	d.write("Fennel & Thyme")
	d.press("enter")
	d.shows("There are 90 lines in USD, 12 lines in EUR; choose the currency of your figures.", "> USD")
	d.press("down", "enter")
	d.shows("Nothing is imported yet", "[2 Check]")
	d.bank.contents = newBank().contents
	d.press("y")
	d.shows("[4 Done]", "Imported as imp_NEW", "! HRPIDEF0 …0731: the lines do not add up to the balances",
		"! …9016: no balance is known")
	if b := &d.bank.batch; b.Of(ownbooks.NameFlag) != "Fennel & Thyme" || b.Of(ownbooks.CurrencyFlag) != "EUR" {
		t.Errorf("it imports with %+v", b.Answers)
	}
	d.press("esc")
	d.shows("Accounts", "…4821")
}

func TestTheFinderLeadsToAnAccount(t *testing.T) {
	d := open(t)
	records := d.State().Records()
	if len(records) != 3 || records[1].Kind != views.AccountRecord {
		t.Fatalf("%+v", records)
	}
	d.run(d.Show(records[1].To.Target))
	if a := d.selectedAccount(); a == nil || a.Label() != records[1].Name {
		t.Errorf("the cursor is on %+v", a)
	}
}
