package views

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// Names of the pages that can be opened by a Visit.
const (
	Runway       = "runway"
	Receivables  = "receivables"
	Transactions = "transactions"
	Invoices     = "invoices"
	Propose      = "propose"
	Events       = "events"
	Intent       = "intent" // a payment intent
)

// Visit asks the dashboard to open the page named Screen and to show Target there, for example an
// InvoiceTarget. If Target is nil, the page keeps what it last showed. Esc returns to the previous
// page.
type Visit struct {
	Screen string
	Target any
}

// Go returns the command that sends a Visit.
func Go(screen string, target any) tea.Cmd {
	return func() tea.Msg { return Visit{screen, target} }
}

// ProposeTarget is the form that proposes an invoice. The form is empty if the previous proposal
// was created.
type ProposeTarget struct{}

// InvoiceCreated tells every screen that this program created the draft invoice with the given ID.
// The event feed does not report drafts.
type InvoiceCreated struct{ ID string }

// InvoiceTarget is the invoice with the given ID.
type InvoiceTarget struct{ ID string }

// InvoicesTarget is the list of invoices that match all fields that are set.
type InvoicesTarget struct {
	Status   apiclient.InvoiceStatus
	Customer string // the recipient's name
	PastDue  PastDue
}

// PastDue is a named range of days past due that includes From and To. The zero value matches all
// invoices. Invoices without a due date count as zero days past due.
type PastDue struct {
	Name     string
	From, To int
}

// IntentTarget is the payment intent with the given ID.
type IntentTarget struct{ ID string }

// TransactionsTarget is the list of transactions that match all fields that are set. From and To
// are included.
type TransactionsTarget struct {
	From, To  civil.Date
	Direction apiclient.Direction
	Keyword   string
}

// Notice is a line of text that the dashboard shows at its foot for a few seconds.
type Notice struct {
	Text    string
	Problem bool // shown as a warning
}

// Tell returns the command that shows a notice about a result.
func Tell(text string) tea.Cmd { return func() tea.Msg { return Notice{Text: text} } }

// Warn returns the command that shows a notice about a problem.
func Warn(text string) tea.Cmd { return func() tea.Msg { return Notice{Text: text, Problem: true} } }

// Copy asks the dashboard to put Text on the clipboard. What names the text in the notice that
// follows, such as "the invoice's number". If amounts are hidden on the screen, they are masked in
// the copy too, unless Unmasked is set.
type Copy struct {
	What, Text string
	Unmasked   bool
}

// PutOnClipboard returns the command that sends a Copy.
func PutOnClipboard(what, text string) tea.Cmd {
	return func() tea.Msg { return Copy{What: what, Text: text} }
}
