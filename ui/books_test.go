package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
	"tarmac/views"
)

// oneImport is own books with one account and one import.
type oneImport struct {
	importing.Books // its other methods are not called
	imported        bool
	answers         []string
}

func (b *oneImport) List(context.Context) (ownbooks.Contents, error) {
	return ownbooks.Contents{
		Accounts: []ownbooks.Account{{
			Number: "…4821", Bank: "Harbor & Pine Bank", Currency: "USD",
		}},
		Imports:   []ownbooks.Import{{ID: "imp_1", Files: []ownbooks.ImportedFile{{Name: "a.qfx", Format: "ofx"}}}},
		Questions: 1,
	}, nil
}

func (b *oneImport) Preview(_ context.Context, batch ownbooks.Batch, _ *importing.Progress) (ownbooks.Report, error) {
	return ownbooks.Report{Files: []ownbooks.FileReport{{Name: batch.Files[0], Format: "receivables", OpenItems: 1}}}, nil
}

func (b *oneImport) Import(context.Context, ownbooks.Batch, *importing.Progress) (ownbooks.Report, error) {
	b.imported = true
	return ownbooks.Report{Import: "imp_2"}, nil
}

func (b *oneImport) PreviewUndo(context.Context, string) (ownbooks.Undone, error) {
	return ownbooks.Undone{}, errors.New("the books are in use")
}

func (b *oneImport) Undo(context.Context, string) (ownbooks.Undone, error) {
	return ownbooks.Undone{}, nil
}

func (b *oneImport) BankFiles(context.Context, string) ([]ownbooks.BankFile, error) { return nil, nil }

func (b *oneImport) GivenAnswers(context.Context) ([]ownbooks.OpenQuestion, error) { return nil, nil }

func (b *oneImport) Questions(context.Context) ([]ownbooks.OpenQuestion, error) {
	return []ownbooks.OpenQuestion{
		{ID: "ask_1", Text: "25,000 JPY from Ada: is it financing?", Meanwhile: "It does not count in burn.",
			Choices: []ownbooks.Choice{{Answer: "yes", Text: "financing"}, {Answer: "no", Text: "earned"}}},
	}, nil
}

func (b *oneImport) Answer(_ context.Context, id, answer string) (ownbooks.Answered, error) {
	b.answers = append(b.answers, id+" "+answer)
	return ownbooks.Answered{}, errors.New("the books are in use")
}

func (b *oneImport) CheckAnswer(ownbooks.Question, string) error { return nil }

// oneConnection is a connection to a provider. Its other methods are not called.
type oneConnection struct {
	importing.Providers
	token importing.Token
}

func (*oneConnection) Kinds() []ownbooks.ProviderKind {
	return []ownbooks.ProviderKind{{Name: "mercury", Title: "Mercury"}}
}

func (*oneConnection) Connections(context.Context) ([]ownbooks.Connection, error) {
	return []ownbooks.Connection{{
		ID: "con_1", Provider: "mercury", Title: "Mercury", Label: "Mercury", State: ownbooks.Denied,
		Problem: "Mercury does not accept the token any more.",
	}}, nil
}

func (c *oneConnection) Connect(_ context.Context, r importing.ConnectRequest) (ownbooks.Connection, error) {
	c.token = r.Token
	return ownbooks.Connection{}, errors.New("Mercury does not accept this token")
}

// openOwn returns a dashboard on own books that has received all its first answers.
func openOwn(t *testing.T) (*dashboard, *oneImport) {
	t.Helper()
	d := &dashboard{t: t, api: healthy(), now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	d.Model = New(t.Context(), Options{Now: func() time.Time { return d.now }, Timeout: time.Minute})
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	books := new(oneImport)
	d.drain(d.begin(Connection{Client: d.clientOf(d.api), Profile: "Northlight Labs", Books: books,
		Providers: new(oneConnection)}))
	return d, books
}

// The letters of a token are no keys of the dashboard, and the token is on no frame.
func TestATokenIsTypedUnseenOnThePageBooks(t *testing.T) {
	d, _ := openOwn(t)
	providers := d.session.connection.Providers.(*oneConnection)
	d.press("9", "c", "enter")

	for _, letter := range "q1p?*T" {
		d.press(string(letter))
		if frame := d.text(); strings.Contains(frame, "q1") {
			t.Fatalf("the token is on the screen:\n%s", frame)
		}
	}
	d.press("enter")

	d.shows("Mercury does not accept this token")
	if providers.token.Reveal() != "q1p?*T" {
		t.Errorf("the token is %q", providers.token.Reveal())
	}
}

func TestOnlyOwnBooksHaveThePageBooks(t *testing.T) {
	named := func(d *dashboard) bool {
		return slices.ContainsFunc(d.session.pages, func(p page) bool { return p.Name == views.Books })
	}
	other := open(t, healthy())
	other.press("9")
	if named(other) || other.active() != "overview" {
		t.Error("a session without own books has the page")
	}
	d, _ := openOwn(t)

	d.press("9")

	d.shows("9 Books", "Harbor & Pine Bank", "n import files")
	d.press("?")
	d.shows("undo import")
	d.press("?", "1", ":", "B", "o", "o", "k", "s", "enter")
	if d.active() != views.Books {
		t.Errorf("the palette opened %s", d.active())
	}
}

func TestAnImportRefreshesAllOpenedPages(t *testing.T) {
	d, books := openOwn(t)
	d.press("4", "5", "9", "n")
	for _, r := range "books_test.go" {
		d.press(string(r))
	}
	d.press("enter")
	d.shows("Import 1 file?")
	clear(d.api.asked)

	d.press("y")

	if !books.imported {
		t.Fatal("nothing was imported")
	}
	for _, path := range []string{
		"/account", "/insights/cash-position", "/receivables/aging", "/transactions", "/invoices",
	} {
		if d.api.asked[path] == 0 {
			t.Errorf("%s was not fetched again", path)
		}
	}
	d.shows("Imported as imp_2")
}

// The digits of a question about own books are its answers, and open no page.
func TestAQuestionOnThePageBooksHasItsDigitsForItself(t *testing.T) {
	d, books := openOwn(t)
	d.press("9")
	if !strings.Contains(d.text(), "1 question to answer: a") {
		t.Errorf("no question in\n%s", d.text())
	}

	d.press("a", "2")

	if !slices.Equal(books.answers, []string{"ask_1 no"}) {
		t.Errorf("answers are %q", books.answers)
	}
	if text := d.text(); !strings.Contains(text, "Question 1 of 1") || !strings.Contains(text, "the books are in use") {
		t.Errorf("the page is\n%s", text)
	}
}

func TestACommandOfThePaletteAsksTheQuestions(t *testing.T) {
	d, _ := openOwn(t)
	d.press("9", ":")

	for _, letter := range "answer questions" {
		d.press(string(letter))
	}
	d.press("enter")

	if text := d.text(); !strings.Contains(text, "Question 1 of 1") {
		t.Errorf("the page is\n%s", text)
	}
}
