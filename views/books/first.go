package books

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/views"
	"tarmac/views/parts/masked"
)

// Show begins the first import of new books, opens the choice of a provider, or moves the cursor to
// an account.
func (s *Screen) Show(target any) tea.Cmd {
	t, ok := target.(views.BooksTarget)
	if !ok || s.mode != browsing {
		return nil
	}
	defer s.syncView()
	switch {
	case s.env.ReadOnly:
	case t.Connect && s.providers != nil:
		s.openConnect()
	case t.Import:
		s.intake.first = true
		return s.openIntake()
	case t.Account != "":
		s.focusList(onAccounts)
		value, _ := s.contents.Value()
		for n := range value.Accounts {
			if value.Accounts[n].Label() == t.Account {
				s.accounts.SetCursor(n)
			}
		}
	}
	return nil
}

// records returns the accounts for the finder.
func (s *Screen) records() (all []views.Record) {
	value, _ := s.contents.Value()
	for n := range value.Accounts {
		label := value.Accounts[n].Label()
		all = append(all, views.Record{
			Kind: views.AccountRecord, Name: label, Hint: value.Accounts[n].Role,
			To: views.Visit{Screen: views.Books, Target: views.BooksTarget{Account: label}},
		})
	}
	return all
}

// steps returns the steps of an import, with the current one in brackets. It returns "" in other
// dialogs.
func (s *Screen) steps() string {
	names := [...]string{"1 Files", "2 Check", "3 Questions", "4 Done"}
	at, known := map[mode]int{
		naming: 0, previewing: 1, confirming: 1, checkingAccount: 1, checkingLines: 1, answeringFile: 2, importRunning: 3,
		finished: 3,
	}[s.mode]
	if !known {
		return ""
	}
	names[at] = "[" + names[at] + "]"
	return strings.Join(names[:], " ")
}

// endFirst ends the first import: with its questions, if there are any, and then the summary.
func (s *Screen) endFirst(report ownbooks.Report) tea.Cmd {
	questions := report.Questions
	report.Questions = nil // the next dialog asks them
	s.finishing, s.imported = true, report.Done("")
	if len(questions) > 0 {
		return s.readQuestions()
	}
	return s.finish()
}

// finish shows the summary of the first import.
func (s *Screen) finish() tea.Cmd {
	s.mode, s.finishing = finished, false
	s.updateLasts()
	return s.fetch()
}

// updateLasts updates the months that the cash lasts, the sentence about them, and what they leave
// out or assume.
func (s *Screen) updateLasts() {
	if s.lasts, s.runway, s.assumed = "", "", nil; s.env.Snapshot == nil {
		return
	}
	cash, ok := s.env.Snapshot.CashFigures()
	if !ok {
		return
	}
	if cash.Runway != nil {
		s.runway = cash.Runway.String() + " months"
		if burn := cash.BurnMonths(); burn != "" {
			s.runway += " (burn " + burn + ")"
		}
	}
	for _, text := range [...]string{cash.Reason, cash.Unanswered(), cash.Assumed()} {
		if text != "" {
			s.assumed = append(s.assumed, text)
		}
	}
	for _, one := range why.Sentences(why.Basis{Cash: &cash, Today: civil.Of(s.env.Now())}) {
		if one.Subject == why.Lasts {
			s.lasts = one.Text
		}
	}
}

// finishedDialog is the summary of the first import: how long the cash lasts and what is missing.
func (s *Screen) finishedDialog() *dialog {
	leave := func() { s.mode = browsing }
	return &dialog{
		help: "Done", back: leave,
		keys: views.Actions{
			{Key: "enter", Help: "overview", Do: func() tea.Cmd {
				leave()
				return views.Go(views.Overview, nil)
			}},
			{Key: "a", Help: "answer questions", When: s.hasQuestions, Do: func() tea.Cmd {
				s.finishing = true
				return s.readQuestions()
			}},
			{Key: "esc", Help: "books", Do: views.Do(leave)},
		},
		draw: func() string {
			return s.framed("Your books", func(width, _ int) ([]string, int) { return s.finishedLines(width), 0 })
		},
	}
}

func (s *Screen) finishedLines(width int) []string {
	var lines []string
	if s.runway != "" {
		lines = append(lines, styled(s.theme.Title, masked.Text(s.theme, s.runway), width)...)
	}
	switch {
	case s.lasts != "":
		lines = append(lines, styled(s.theme.Strong, masked.Text(s.theme, s.lasts), width)...)
	case s.runway == "" && s.assumed == nil:
		lines = styled(s.theme.Faint, "The figures are being computed…", width)
	}
	for _, text := range s.assumed {
		lines = append(lines, styled(s.theme.Text, masked.Text(s.theme, text), width)...)
	}
	lines = append(lines, "")
	lines = append(lines, styled(s.theme.Good, masked.Text(s.theme, "✓ "+s.imported), width)...)
	for _, missing := range s.missing() {
		lines = append(lines, styled(s.theme.Caution, "! "+missing, width)...)
	}
	return lines
}

// missing returns what the books lack.
func (s *Screen) missing() (texts []string) {
	value, _ := s.contents.Value()
	today := civil.Of(s.env.Now())
	for n := range value.Accounts {
		a := &value.Accounts[n]
		switch {
		case a.Contradiction:
			texts = append(texts, a.Label()+": the lines do not add up to the balances")
		case a.Balance == nil:
			texts = append(texts, a.Label()+": no balance is known")
		case len(a.Gaps()) > 0:
			texts = append(texts, a.Label()+": days without statements, such as "+a.Gaps()[0].String())
		case a.Outdated(today):
			texts = append(texts, a.Label()+": the newest statement ends "+a.Newest().String())
		}
	}
	return texts
}
