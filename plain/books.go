package plain

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tarmac/client/importing"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
)

// booksPage lists the accounts and imports of own books.
type booksPage struct {
	contents cached[ownbooks.Contents]
}

func (p *booksPage) name() string { return "books" }

func (p *booksPage) commands(*session) []command {
	return []command{{"open", "NUMBER", "show an account; with an id, an import", p.open}}
}

// booksCommands returns the commands that ask about own books and change them. A session on other
// books has none.
func (s *session) booksCommands() []command {
	if s.server.Books == nil {
		return nil
	}
	questions := command{
		"questions", "[answered]", "list the open questions about the books, or the answered ones", (*session).listQuestions,
	}
	return append([]command{questions}, s.unlessReadOnly(
		command{"answer", "NUMBER ANSWER", "answer a question", (*session).answerQuestion},
		command{"import", "FILE…", "preview files and import them", (*session).importFiles},
		command{"undo", "ID", "undo an import", (*session).undoImport},
	)...)
}

func (p *booksPage) show(s *session) error {
	s.say("%s.", s.title())
	contents, ok := p.contents.get(s, "Books", s.server.Books.List)
	switch {
	case !ok:
		return nil
	case len(contents.Accounts) == 0 && len(contents.Imports) == 0 && s.server.ReadOnly:
		return s.answer("The books are empty, and this session is read-only.")
	case len(contents.Accounts) == 0 && len(contents.Imports) == 0:
		return s.answer("%s", contents.EmptyText("The command import FILE"))
	}
	if contents.Questions > 0 {
		s.say("%s: type questions.", ownbooks.ToAnswer(contents.Questions))
	}
	s.say("%s:", plural.Count(len(contents.Accounts), "account"))
	for n := range contents.Accounts {
		s.say("  %d. %s.", n+1, s.accountLine(&contents.Accounts[n]))
	}
	s.say("%s, newest first:", plural.Count(len(contents.Imports), "import"))
	for _, i := range slices.Backward(contents.Imports) {
		s.say("  %s, %s, %s, %s.", i.ID, record.Minute(i.At), plural.Count(i.New, "new line"), i.FilesText())
	}
	return nil
}

// amountOf returns minor units of a currency as text.
func amountOf(minor int64, currency string) string {
	return strings.TrimSpace(signInWords(money.Format(minor, currency)) + " " + currency)
}

// accountLine describes an account in one line, without a full stop.
func (s *session) accountLine(a *ownbooks.Account) string {
	parts := []string{a.Label(), a.Role, "balance unknown"}
	if a.Balance != nil {
		parts[2] = "balance " + amountOf(*a.Balance, a.Currency) + " on " + a.AsOf.String()
	}
	if a.PendingMinor != 0 {
		parts = append(parts, "pending "+amountOf(a.PendingMinor, a.Currency))
	}
	parts = append(parts, "covered "+spoken(a.CoveredText()))
	if days, known := a.Age(s.today()); known {
		age := "newest statement " + plural.Count(days, "day") + " old"
		if a.Outdated(s.today()) {
			age += ", outdated"
		}
		parts = append(parts, age)
	}
	return strings.Join(append(parts, "adds up: "+spoken(a.Proof())), ", ")
}

// spoken replaces dashes in a text with the word unknown, and minus signs with the word minus.
func spoken(text string) string {
	words := strings.Split(strings.ReplaceAll(text, money.Dash, unknown), " ")
	for i := range words {
		if len(words[i]) > 1 && words[i][1] >= '0' && words[i][1] <= '9' {
			words[i] = signInWords(words[i])
		}
	}
	return strings.Join(words, " ")
}

// open shows the account with a number, or the import with an id.
func (p *booksPage) open(s *session, args string) error {
	if at := slices.IndexFunc(p.contents.value.Imports, func(i ownbooks.Import) bool { return i.ID == args }); at >= 0 {
		return s.facts("Import", p.contents.value.Imports[at].Facts(record.Minute))
	}
	n, ok := s.pick(args, len(p.contents.value.Accounts))
	if !ok {
		return nil
	}
	a := &p.contents.value.Accounts[n]
	facts := a.Facts(s.today(), amountOf)
	for i := range a.Months {
		facts = append(facts, a.Months[i].Fact(a.Currency, amountOf))
	}
	return s.facts("Account "+a.Label(), facts)
}

// facts prints facts under a title.
func (s *session) facts(title string, facts []ownbooks.Fact) error {
	s.say("%s:", title)
	for _, f := range facts {
		lines := strings.Split(f.Text, "\n")
		for _, line := range lines {
			s.say("  %s: %s", f.Label, problem.Sentence(spoken(line)))
		}
	}
	return nil
}

// runBooks runs an operation of the books, which may take minutes. Ctrl+c cancels it.
func runBooks[T any](s *session, notice string, do func(ctx context.Context) (T, error)) (T, error) {
	return runRequest(s, 0, notice, do)
}

// importFiles previews the files that the user has named, asks what they leave open, and imports
// them after yes.
func (s *session) importFiles(args string) error {
	files, err := runBooks(s, "Looking for the files…", func(context.Context) ([]string, error) {
		return importing.Find(s.Places, args)
	})
	if err != nil {
		return s.answer("%s", errorSentence(err))
	}
	batch := ownbooks.Batch{Files: files}
	report, ok, err := s.previewFiles(&batch)
	if err != nil || !ok {
		return err
	}
	for _, f := range report.Files {
		for _, line := range f.Text() {
			s.say("%s", spoken(line))
		}
	}
	s.say("%s.", report.Summary())
	for _, f := range report.Files {
		if f.Error != "" {
			s.say("%s: %s", f.Name, problem.Sentence(f.Error))
		}
	}
	question := "Import " + plural.Count(len(files), "file") + "?"
	switch {
	case report.Blocked():
		return s.answer("Nothing can be imported before this is mended, or the file left out.")
	case report.Contradicts():
		question = "The lines do not add up to the balances. Import them anyway?"
		batch.AcceptResidual = true
	case !report.HasContent():
		return s.answer("There is nothing to import.")
	}
	if yes, err := s.confirmYes(question); err != nil || !yes {
		return err
	}
	return s.importBatch(batch)
}

// importBatch imports the files and prints the outcome.
func (s *session) importBatch(batch ownbooks.Batch) error {
	report, err := runBooks(s, "Importing. Ctrl+C cancels.", func(ctx context.Context) (ownbooks.Report, error) {
		return s.server.Books.Import(ctx, batch, importing.NewProgress(batch))
	})
	switch {
	case err != nil:
		return s.answer("Nothing was imported: %s", errorSentence(err))
	case report.Import == "":
		for _, f := range report.Files {
			if f.Error != "" {
				s.say("%s: %s", f.Name, problem.Sentence(f.Error))
			}
		}
		return s.answer("Nothing was imported.")
	}
	return s.answer("%s", report.Done("type questions"))
}

// previewFiles previews a batch, and adds the user's answers to what its files leave open. It
// returns false if the user gives up or the preview fails.
func (s *session) previewFiles(batch *ownbooks.Batch) (report ownbooks.Report, ok bool, err error) {
	for {
		report, err = runBooks(s, "Reading the files. Ctrl+C cancels.", func(ctx context.Context) (ownbooks.Report, error) {
			return s.server.Books.Preview(ctx, *batch, importing.NewProgress(*batch))
		})
		if err != nil {
			return report, false, s.answer("Nothing was imported: %s", errorSentence(err))
		}
		q := report.Question(batch)
		if q == nil || batch.Answered(q) {
			return report, true, nil
		}
		if ok, err := s.askAboutFile(batch, q); err != nil || !ok {
			return report, false, err
		}
	}
}

// askAboutFile repeats a question until the user types a valid answer. It returns false for an
// empty answer to a question that needs one, which means that the user gives up.
func (s *session) askAboutFile(batch *ownbooks.Batch, q *ownbooks.Question) (ok bool, err error) {
	s.say("%s: %s", q.Name, problem.Sentence(q.Reason))
	for _, sample := range q.Samples {
		s.say("  %s", sample)
	}
	for _, option := range q.Options() {
		switch {
		case option.Label != option.Answer:
			s.say("  %s: %s", option.Answer, option.Label)
		case option.Means != "":
			s.say("  %s: %s", option.Answer, option.Means)
		}
	}
	switch {
	case q.IsOptional():
		s.say("%s, or nothing if you do not know it.", q.Prompt())
	case q.Proposed != "":
		s.say("%s, or nothing for %s.", q.Prompt(), q.Proposed)
	default:
		s.say("%s, or nothing to stop.", q.Prompt())
	}
	for {
		text, err := s.read(strings.ReplaceAll(q.Subject(), "-", " "))
		if err != nil {
			return false, err
		}
		if text == "" {
			text = q.Proposed
		}
		if text == "" && !q.IsOptional() {
			return false, s.answer("Nothing was imported.")
		}
		if wrong := s.server.Books.CheckAnswer(*q, text); wrong != nil && text != "" {
			s.say("%s", errorSentence(wrong))
			continue
		}
		batch.Answers = append(batch.Answers, ownbooks.Answer{Question: *q, Text: text})
		return true, nil
	}
}

// undoImport says what undoing an import removes, and undoes it after yes.
func (s *session) undoImport(id string) error {
	if id == "" {
		return s.answer("Type undo with the id of an import; books lists them.")
	}
	removes, err := runBooks(s, "Finding out what goes…", func(ctx context.Context) (ownbooks.Undone, error) {
		return s.server.Books.PreviewUndo(ctx, id)
	})
	if err != nil {
		return s.answer("Cannot undo %s: %s", id, errorSentence(err))
	}
	s.say("%s", removes.Means())
	if yes, err := s.confirmYes("Undo this import?"); err != nil || !yes {
		return err
	}
	removed, err := runBooks(s, "Undoing. Ctrl+C cancels.", func(ctx context.Context) (ownbooks.Undone, error) {
		return s.server.Books.Undo(ctx, id)
	})
	if err != nil {
		return s.answer("Not undone: %s", errorSentence(err))
	}
	return s.answer("%s", removed.Done())
}

// confirmYes asks a question that is answered with y or yes; anything else is no.
func (s *session) confirmYes(question string) (bool, error) {
	text, err := s.read(question + " y/n")
	if err != nil {
		return false, err
	}
	if text = strings.ToLower(text); text == "y" || text == "yes" {
		return true, nil
	}
	return false, s.answer("Nothing changed.")
}

// errorSentence returns an error of the books as a sentence.
func errorSentence(err error) string {
	return problem.Sentence(cmp.Or(problem.Reason(err), "cancelled"))
}
