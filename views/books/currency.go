package books

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/ownbooks"
	"tarmac/views"
	"tarmac/views/parts/field"
)

// longestCurrency is the maximum length of a typed currency: a code, or auto.
const longestCurrency = 4

// currency holds the change of the currency of the figures that the user wants.
type currency struct {
	typed   field.Text
	problem string // why the typed currency was refused
	change  ownbooks.CurrencyChange
}

// currencyPreviewMsg is the effect of a change of the currency.
type currencyPreviewMsg struct {
	number uint64
	change ownbooks.CurrencyChange
	err    error
}

// currencyMsg is the result of a change of the currency.
type currencyMsg currencyPreviewMsg

// currencyDialog asks for the currency of the figures.
func (s *Screen) currencyDialog() *dialog {
	return &dialog{
		help: "Currency", back: s.closeDialog, draw: func() string { return s.framed(currencyTitle, s.currencyLines) },
		edit: func(msg tea.Msg) {
			if s.currency.typed.Update(msg) {
				s.currency.problem = ""
			}
		},
		keys: views.Actions{
			{Key: "enter", Help: "preview", Do: s.previewCurrency},
			{Key: "esc", Help: "cancel", Do: views.Do(s.closeDialog)},
		},
	}
}

const currencyTitle = "Currency of the figures"

// currencyConfirmation confirms the change of the currency.
func (s *Screen) currencyConfirmation() *dialog {
	return &dialog{
		help: "Currency", back: s.closeDialog,
		keys: views.Actions{
			{Key: "y", Help: "change it", Do: s.changeCurrency},
			{Key: "n", Also: []string{"esc"}, Help: "keep", Do: views.Do(s.closeDialog)},
		},
		draw: func() string {
			return s.framed(currencyTitle, func(width, _ int) ([]string, int) {
				c := &s.currency.change
				lines := styled(s.theme.Strong, "Figures in "+c.Currency+" instead of "+c.Before, width)
				lines = append(append(lines, ""), styled(s.theme.Text, c.Rates, width)...)
				lines = append(append(lines, ""), s.theme.Strong.Render("Change it?")+"  "+s.answerKeys())
				return lines, len(lines) - 1
			})
		},
	}
}

func (s *Screen) openCurrency() {
	s.mode, s.outcome = typingCurrency, outcome{}
	s.currency = currency{typed: field.NewText("EUR", longestCurrency)}
	s.currency.typed.Focus()
}

// previewCurrency returns the command that computes the effect of the change.
func (s *Screen) previewCurrency() tea.Cmd {
	typed := strings.TrimSpace(s.currency.typed.Value())
	if typed == "" {
		s.currency.problem = "Type a currency such as EUR, or auto for that of the oldest import."
		return nil
	}
	s.mode = checkingCurrency
	ctx, number := s.start(nil)
	books := s.books
	return func() tea.Msg {
		change, err := books.PreviewCurrency(ctx, typed)
		return currencyPreviewMsg{number, change, err}
	}
}

// storeCurrencyPreview asks whether to make the change. If the currency was refused, the user can
// correct it.
func (s *Screen) storeCurrencyPreview(msg currencyPreviewMsg) {
	if !s.ended(msg.number) {
		return
	}
	switch {
	case msg.err != nil:
		s.mode, s.currency.problem = typingCurrency, errorText(msg.err)
	case !msg.change.Changes:
		s.mode, s.outcome = browsing, outcome{text: "The figures are in " + msg.change.Currency + " already."}
	default:
		s.mode, s.currency.change = confirmingCurrency, msg.change
	}
}

// changeCurrency returns the command that makes the change.
func (s *Screen) changeCurrency() tea.Cmd {
	s.mode = changingCurrency
	ctx, number := s.start(nil)
	books, typed := s.books, strings.TrimSpace(s.currency.typed.Value())
	return func() tea.Msg {
		done, err := books.SetCurrency(ctx, typed)
		return currencyMsg{number, done, err}
	}
}

// finishCurrency shows how the change ended. After a success all pages fetch their figures again.
func (s *Screen) finishCurrency(msg currencyMsg) tea.Cmd {
	if !s.ended(msg.number) {
		return nil
	}
	s.mode = browsing
	if msg.err != nil {
		s.outcome = outcome{text: "Not changed: " + errorText(msg.err), problem: true}
		return s.noticeIfHidden("the currency was not changed; see the Books page")
	}
	s.outcome = outcome{
		text: "The figures are in " + msg.change.Currency + " now; m and " + msg.change.Undo + " takes it back.",
	}
	return changed
}

func (s *Screen) currencyLines(width, _ int) (lines []string, at int) {
	const label = "Currency  "
	lines = append(lines, s.theme.Faint.Render(label)+s.currency.typed.Draw(s.theme, max(1, width-len(label))))
	lines = append(lines, alarm(s.theme, s.currency.problem, width)...)
	lines = append(lines, "")
	text := "Type the code of another currency, such as EUR, or auto for that of the oldest import. Amounts in other " +
		"currencies need exchange rates."
	if value, _ := s.contents.Value(); value.Currency != "" {
		text = "The figures are in " + value.Currency + ". " + text
	}
	return append(lines, styled(s.theme.Text, text, width)...), 0
}
