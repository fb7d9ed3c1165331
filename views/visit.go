package views

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// Names of the pages that other screens open.
const (
	Runway       = "runway"
	Receivables  = "receivables"
	Transactions = "transactions"
	Invoices     = "invoices"
	Propose      = "propose"
	Events       = "events"
	Intent       = "intent" // a payment intent
)

// Visit opens another screen and shows Target, one of the target types below. With a nil
// Target, the screen keeps what it last showed. Esc returns to the previous screen.
type Visit struct {
	Screen string
	Target any
}

// Go returns the command that opens a screen with a target.
func Go(screen string, target any) tea.Cmd {
	return func() tea.Msg { return Visit{screen, target} }
}

// ProposeTarget opens the invoice form for typing. If the previous proposal is finished, the
// form is empty.
type ProposeTarget struct{}

// InvoiceCreated tells every screen that a draft invoice exists. The event feed does not report
// drafts.
type InvoiceCreated struct{ ID string }

// InvoiceTarget is the invoice with the given ID.
type InvoiceTarget struct{ ID string }

// InvoicesTarget is a list of invoices, restricted by the fields that are set.
type InvoicesTarget struct {
	Status   apiclient.InvoiceStatus
	Customer string // the recipient's name
	PastDue  PastDue
}

// PastDue is a range of days past due, From and To included, and its name. The zero value
// matches all invoices. Invoices without a due date count as zero days past due.
type PastDue struct {
	Name     string
	From, To int
}

// IntentTarget is the payment intent with the given ID.
type IntentTarget struct{ ID string }

// TransactionsTarget is the transaction list, filtered by the fields that are set.
type TransactionsTarget struct {
	From, To  civil.Date
	Direction apiclient.Direction
	Keyword   string
}

// Notice shows a line at the foot of the screen for a few seconds: a result, or a problem.
type Notice struct {
	Text    string
	Problem bool
}

// Tell returns the command that shows a notice.
func Tell(text string) tea.Cmd { return func() tea.Msg { return Notice{Text: text} } }

// Warn returns the command that shows a notice about a problem.
func Warn(text string) tea.Cmd { return func() tea.Msg { return Notice{Text: text, Problem: true} } }

// Copy puts text on the clipboard. What names the text in the notice that follows, such as "the
// invoice's number". Amounts are masked as on the screen unless Unmasked is set.
type Copy struct {
	What, Text string
	Unmasked   bool
}

// PutOnClipboard returns the command that copies text; what names it in the notice.
func PutOnClipboard(what, text string) tea.Cmd {
	return func() tea.Msg { return Copy{What: what, Text: text} }
}
