package views

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// The names of the pages that screens lead to.
const (
	Runway       = "runway"
	Receivables  = "receivables"
	Transactions = "transactions"
	Invoices     = "invoices"
	Propose      = "propose"
	Events       = "events"
	Intent       = "intent" // a payment intent
)

// Visit asks for another screen. Target is what it shows, one of the types below;
// with nil it shows what it showed last. Esc leads back.
type Visit struct {
	Screen string
	Target any
}

// Go returns the command that asks for another screen.
func Go(screen string, target any) tea.Cmd {
	return func() tea.Msg { return Visit{screen, target} }
}

// ProposeTarget is the form for an invoice, ready to be typed into; a new one where the
// last proposal is done.
type ProposeTarget struct{}

// InvoiceCreated tells every screen that an invoice has been created. No event does: it
// is a draft.
type InvoiceCreated struct{ ID string }

// InvoiceTarget is one invoice, by its id.
type InvoiceTarget struct{ ID string }

// InvoicesTarget is the list of the invoices behind some receivables, cut down to what is
// set.
type InvoicesTarget struct {
	Status   apiclient.InvoiceStatus
	Customer string // the name of a recipient
	PastDue  PastDue
}

// PastDue is by how many days invoices are past due, From to To, and what that is
// called; the zero value is any number. One without a due date is past it by none.
type PastDue struct {
	Name     string
	From, To int
}

// IntentTarget is one payment intent, by its id.
type IntentTarget struct{ ID string }

// TransactionsTarget is the list of transactions, cut down to what is set.
type TransactionsTarget struct {
	From, To  civil.Date
	Direction apiclient.Direction
	Keyword   string
}

// Notice asks for a line at the foot of the screen for a few seconds: what was
// done, or what went wrong.
type Notice struct {
	Text    string
	Problem bool
}

// Tell returns the command that shows a notice.
func Tell(text string) tea.Cmd { return func() tea.Msg { return Notice{Text: text} } }

// Warn returns the command that shows a notice of a problem.
func Warn(text string) tea.Cmd { return func() tea.Msg { return Notice{Text: text, Problem: true} } }

// Copy asks for text to be put on the clipboard. What names it in the notice that
// follows: "the invoice's number". Amounts in it are masked as on the screen, unless
// somebody said that they may be read.
type Copy struct {
	What, Text string
	Unmasked   bool
}

// PutOnClipboard returns the command that copies text.
func PutOnClipboard(what, text string) tea.Cmd {
	return func() tea.Msg { return Copy{What: what, Text: text} }
}
