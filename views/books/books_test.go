package books

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestThePageListsAccountsAndImports(t *testing.T) {
	d := open(t)
	d.SetSize(160, 40)

	d.shows("…4821", "Harbor & Pine Bank", "934,841.88 USD", "1d ago", "✓ yes", "! 53d", "✕ ",
		"! no balance", "2026-11-22 11:00", "3,376", "imp_01M82C8S4FMQC5MPFGG7360Y4G")
	d.press("down")
	d.shows("2 gaps", "2026-04-01 to 2026-04-30 (30 days)", "2026-07-01 to 2026-07-14 (14 days)",
		"the balance goes from 35,000.00 EUR to 34,023.33 EUR; the lines lack -0.90 EUR")
	d.press("tab", "down")
	d.shows("operating-2026.qfx (ofx)", "euro-2026.xml (camt)")
	d.press("y")
	if d.copied[0] != "imp_01M82C8S4FMQC5MPFGG7360Y4G" {
		t.Errorf("copied %q", d.copied)
	}
}

func TestFilesArePreviewedAndImportedAfterYes(t *testing.T) {
	d := open(t)
	d.SetSize(120, 30)
	d.current()

	d.named()

	if calls := d.current(); calls != "preview" {
		t.Fatalf("before yes the books were asked for %s", calls)
	}
	d.shows("2 files: 34 new lines; 20 were already there", "1 note: a shows them")
	d.hides("line 7: a draft")
	d.press("a")
	d.shows("open.csv: line 7: a draft", "2026-10-01 to 2026-10-31", "934,841.88 USD",
		"39 open invoices", "Import 2 files?")
	d.press("y")
	if calls := d.current(); calls != "import, list" || d.changes != 1 || len(d.bank.batch.Files) != 2 {
		t.Errorf("after yes: %s, %d changes, %q", calls, d.changes, d.bank.batch.Files)
	}
	d.shows("✓ Imported as imp_NEW. 2 files: 54 lines, 34 new")
	d.press("n")
	d.hides("statement.qfx open.csv")
}

func TestWhatWasTypedStaysUntilTheImportHasSucceeded(t *testing.T) {
	d := open(t)
	d.named()
	d.press("n")
	d.shows("statement.qfx open.csv")
	d.press("esc", "n")
	d.shows("statement.qfx open.csv")
	d.bank.fail = errors.New("the disk is full")

	d.press("enter")

	d.shows("statement.qfx open.csv", "! the disk is full")
	d.bank.fail = nil
	d.press("enter")
	d.bank.fail = errors.New("the disk is full")
	d.press("y")
	d.shows("Nothing was imported: the disk is full", "Import 2 files?")
	d.press("n")
	d.shows("statement.qfx open.csv")
}

func TestANameThatIsNoFileIsNamedInThePrompt(t *testing.T) {
	d := open(t)
	d.press("n")
	d.write("statement.qfx gone*.csv")

	d.press("enter")

	d.shows("! gone*.csv matches no file", "statement.qfx gone*.csv")
	if calls := d.current(); calls != "list" {
		t.Errorf("the books were asked for %s", calls)
	}
}

func TestTabCompletesPathsUnlessTheTextHasChanged(t *testing.T) {
	d := open(t)
	d.press("n")
	d.write("st")
	d.press("tab")
	d.shows("Files statement", "statement-2.qfx statement.qfx")
	d.write(".")
	d.press("tab")
	d.shows("Files statement.qfx")
	late := d.Update(sample.Press("tab"))
	d.write(" o")

	d.run(late)

	d.shows("Files statement.qfx o")
	d.write("zz")
	d.press("tab")
	d.shows("No name continues this path.")
}

func TestAQuestionIsAskedAndItsAnswerGoesAlong(t *testing.T) {
	d := open(t, func(b *bank) {
		b.question = &ownbooks.Question{
			Name: "/x/open.csv", Reason: `"03/04/2026" may be two days`, Flag: "--date-format", Choices: []string{"dmy", "mdy"},
		}
	})
	d.named()
	d.shows("open.csv", `"03/04/2026" may be two days.`, "dmy day first: 03/04 is 3 April")
	d.press("enter")
	d.shows("Choose an answer with its number")
	d.press("esc", "enter")
	d.shows("1 dmy", "2 mdy", "3 skip")

	d.press("2")

	if a := d.bank.batch.Answers; len(a) != 1 || a[0].Text != "mdy" || a[0].Question.Flag != "--date-format" {
		t.Errorf("the answers are %+v", a)
	}
	d.shows("Import 2 files?")
}

func TestAnUnknownBalanceIsAskedBeforeTheImport(t *testing.T) {
	for typed, want := range map[string]string{"12,340.50 on 2026-09-30": "12,340.50 on 2026-09-30", "": ""} {
		d := open(t, func(b *bank) {
			b.report.Balances = []ownbooks.Question{ownbooks.BalanceQuestion("Main", "Main", "USD", civil.Date{}, false)}
		})
		d.named()
		d.shows("Main", "No file says a balance of this account in USD. Without one, cash is unknown.",
			"such as 12,340.50 on 2026-09-30")

		if typed != "" {
			d.write(typed)
		}
		d.press("enter")

		if a := d.bank.batch.Answers; len(a) != 1 || a[0].Text != want || a[0].Question.Account != "Main" {
			t.Errorf("the answers are %+v", a)
		}
		d.shows("Import 2 files?")
	}
}

func TestLinesThatDoNotAddUpAreImportedOnlyWithAnotherKey(t *testing.T) {
	d := open(t, func(b *bank) { b.report.Files[0].Statements[0].Contradiction = true })
	d.named()
	d.shows("do not add up")
	d.current()
	d.press("y")
	if calls := d.current(); calls != "" {
		t.Fatalf("y asked the books for %s", calls)
	}

	d.shows("Import lines that do not add up?")
	d.press("y")

	if calls := d.current(); calls != "import, list" || !d.bank.batch.AcceptResidual {
		t.Errorf("the books were asked for %s, %+v", calls, d.bank.batch)
	}
}

func TestADamagedFileStopsTheImport(t *testing.T) {
	d := open(t, func(b *bank) { b.report.Files[1].Error = "line 17: the file is cut short" })
	d.named()
	d.current()

	d.press("y")

	d.shows("✕ open.csv: line 17: the file is cut short", "Nothing can be imported")
	if calls := d.current(); calls != "" {
		t.Errorf("the books were asked for %s", calls)
	}
}

func TestARunningImportIsCancelledAndItsEndAwaited(t *testing.T) {
	for name, test := range map[string]struct {
		wait func(context.Context)
		want string
	}{
		"in time":  {func(ctx context.Context) { <-ctx.Done() }, "Cancelled: nothing was imported."},
		"too late": {nil, "Imported as imp_NEW"},
	} {
		d := open(t)
		d.named()
		d.bank.wait = test.wait
		cmd := d.Update(sample.Press("y"))
		if test.wait == nil {
			msg := cmd()
			cmd = func() tea.Msg { return msg }
		}
		d.shows("esc cancels")
		if d.State().Unfinished == "" {
			t.Errorf("%s: leaving would lose the import without a question", name)
		}

		d.press("esc")

		d.shows("Cancelling")
		d.run(cmd)
		d.shows(test.want)
		if d.State().Unfinished != "" {
			t.Errorf("%s: %s", name, d.State().Unfinished)
		}
	}
}

func TestAPreviewThatWasCancelledIsDropped(t *testing.T) {
	d := open(t)
	d.press("n")
	d.write("statement.qfx")
	late := d.Update(sample.Press("enter"))
	d.press("esc")

	d.run(late)

	d.shows("Files statement.qfx")
	if strings.Contains(d.current(), "preview") {
		t.Error("files that the user gave up were read")
	}
}

func TestAnImportIsUndoneAfterItSaysWhatGoes(t *testing.T) {
	d := open(t)
	d.press("tab", "down")
	d.current()

	d.press("u")

	d.shows("Removes 41 lines of 1 file, and 1 account: …7733.", "Undo this import?", "operating-2026.qfx and 1 other")
	d.press("n", "u", "y")
	want := "preview undo imp_01M82C8S4FMQC5MPFGG7360Y4G, preview undo imp_01M82C8S4FMQC5MPFGG7360Y4G, " +
		"undo imp_01M82C8S4FMQC5MPFGG7360Y4G, list"
	if calls := d.current(); calls != want || d.changes != 1 {
		t.Errorf("%d changes; the books were asked for %s", d.changes, calls)
	}
	d.shows("✓ Undone: 41 lines of 1 file removed.")
}

func TestUndoSaysWhyItFailed(t *testing.T) {
	d := open(t)
	d.press("tab")
	d.bank.fail = errors.New("another import is running")
	d.press("u")
	d.shows("! Cannot undo imp_01M82DMPYAZWJVS9MD174A57DE: another import is running")
	d.bank.fail = nil
	d.press("u")
	d.bank.fail = errors.New("another import is running")
	d.press("y")
	d.shows("! Not undone: another import is running")
	if d.changes != 0 {
		t.Error("the dashboard was told of a change")
	}
}

func TestAReadOnlySessionChangesNothing(t *testing.T) {
	d := openAs(t, views.Env{ReadOnly: true})
	d.press("n", "tab", "u", "D")

	if calls := d.current(); calls != "list" || d.mode != browsing || len(d.notices) != 3 {
		t.Errorf("the books were asked for %s; notices are %q", calls, d.notices)
	}
}

func TestHiddenAmountsStayHidden(t *testing.T) {
	d := open(t)
	masked := d.theme
	masked.Masked = true
	d.SetTheme(masked)
	d.SetSize(200, 60)

	d.hides("934,841", "34,023", "0.90", "79,343")
	d.press("down")
	d.hides("934,841", "34,023", "0.90", "79,343")
	d.named()
	d.hides("736,598", "466,930", "934,841")
}

func TestHiddenPagesReadNothingAndTellHowAnImportEnded(t *testing.T) {
	d := open(t)
	d.named()
	cmd := d.Update(sample.Press("y"))
	d.Update(views.Visible(false))
	d.current()
	d.at = d.at.Add(time.Hour)

	d.run(d.Update(views.Tick{Now: d.at}))
	if calls := d.current(); calls != "" {
		t.Errorf("a hidden page asked for %s", calls)
	}
	d.run(cmd)
	if len(d.notices) != 1 || !strings.Contains(d.notices[0], "imported") {
		t.Errorf("notices are %q", d.notices)
	}
	d.Update(views.Visible(true))
	d.current()
	d.at = d.at.Add(time.Hour)
	d.run(d.Update(views.Tick{Now: d.at}))
	if calls := d.current(); calls != "list" {
		t.Errorf("a visible page asked for %s", calls)
	}
}

func TestEmptyBooksSayWhatToDo(t *testing.T) {
	d := open(t, func(b *bank) { b.contents = emptyBooks() })

	d.shows("The books are empty. Press n", "MT940")
	d.press("n")
	d.shows("Files")
}

func TestAClickSelectsARowAndThenOpensIt(t *testing.T) {
	d := open(t)
	d.Update(views.Click{X: 10, Y: 3})
	d.shows("HRPIDEF0 …0731")
	d.Update(views.Click{X: 10, Y: d.heights().lists[onAccounts] + 3})
	d.shows("imp_01M82C8S4FMQC5MPFGG7360Y4G")
	if d.list != onImports {
		t.Error("the click did not reach the imports")
	}
	d.Update(views.Click{X: 10, Y: d.heights().lists[onAccounts] + 3})
	if !d.opened || !d.Back() || d.opened {
		t.Error("the second click did not open the details, or esc did not close them")
	}
}
