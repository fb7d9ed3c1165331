package views

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// Names of the pages that can be opened by a Visit.
const (
	Overview     = "overview"
	Runway       = "runway"
	Receivables  = "receivables"
	Transactions = "transactions"
	Invoices     = "invoices"
	Propose      = "propose"
	Events       = "events"
	Intent       = "intent" // one payment intent
	Books        = "books"  // own books
	Spend        = "spend"
	Alerts       = "alerts"
)

// Visit asks the dashboard to open the page named Screen and to pass Target, for example an
// InvoiceTarget, to it. If Target is nil, the page shows what it showed last. Esc then leads back
// to the previous page.
type Visit struct {
	Screen string
	Target any
}

// Go returns the command that sends a Visit.
func Go(screen string, target any) tea.Cmd {
	return func() tea.Msg { return Visit{screen, target} }
}

// ProposeTarget opens the form that proposes an invoice. The form is empty if the previous proposal
// was created.
type ProposeTarget struct{}

// InvoiceCreated tells every screen that this program has created a draft invoice with the given
// ID. The event feed does not report drafts.
type InvoiceCreated struct{ ID string }

// Annotated tells every screen that what is known of categories and notes has changed
// (Env.Annotations).
type Annotated struct{}

// LedgerChanged tells the dashboard that this program has changed the books behind the server. It
// then fetches the figures of all pages again. Company is the name that the company of new books
// got, or "".
type LedgerChanged struct{ Company string }

// InvoiceTarget opens the invoice with the given ID.
type InvoiceTarget struct{ ID string }

// InvoicesTarget opens the list of invoices that match all nonzero fields.
type InvoicesTarget struct {
	Status   apiclient.InvoiceStatus
	Customer string // name of the invoiced customer
	PastDue  DaysPastDue
	Owed     bool // Receivables counts something for this target; it matches all invoices
	// Search filters by a text. With it, the plain list opens, without totals of receivables.
	Search string
}

// DaysPastDue is a named range of days past due. It includes From and To. The zero value matches
// all invoices. An invoice without a due date counts as zero days past due.
type DaysPastDue struct {
	Name     string
	From, To int
}

// RunwayTarget opens the runway, with the forecast of thirteen weeks if Weeks is set, or with what
// its figures are based on if Basis is set.
type RunwayTarget struct{ Weeks, Basis bool }

// IntentTarget opens the payment intent with the given ID.
type IntentTarget struct{ ID string }

// TransactionsTarget opens the list of transactions that match all nonzero fields. The days From
// and To are included.
type TransactionsTarget struct {
	From, To  civil.Date
	Direction apiclient.Direction
	Keyword   string
	ID        string // of a transaction on the day From, for the cursor
}

// ReceivablesTarget opens the page Receivables with the cursor on the named customer, or with the
// bills to pay if Bills is set.
type ReceivablesTarget struct {
	Customer string
	Bills    bool
}

// BooksTarget opens the page Books with the cursor on the account of that number, with the first
// import of new books, or with the choice of a provider.
type BooksTarget struct {
	Account         string
	Import, Connect bool
}

// SpendTarget opens one of the lists of figures of the page Spend. The cursor moves to the named
// counterparty. If Month is set, its first day, the changes are those of that month since the month
// that begins on Since, or since the one before if that is zero.
type SpendTarget struct {
	Figures      SpendFigures
	Counterparty string
	Month, Since civil.Date
}

// SpendFigures names a list of figures of the page Spend.
type SpendFigures int

// Values of SpendFigures.
const (
	SpendByCounterparty SpendFigures = iota
	SpendRecurring
	SpendChanges
)

// Notice is a line of text that appears at the bottom of the dashboard for a few seconds.
type Notice struct {
	Text    string
	Problem bool // the notice is drawn as a warning
}

// Tell returns the command that shows text as a notice.
func Tell(text string) tea.Cmd { return func() tea.Msg { return Notice{Text: text} } }

// Warn returns the command that shows text as a warning.
func Warn(text string) tea.Cmd { return func() tea.Msg { return Notice{Text: text, Problem: true} } }

// NotOverSSH returns the command that warns that a file is not saved on the machine to which the
// person has connected over SSH, and names the command that prints it on the person's own machine.
func NotOverSSH(command string) tea.Cmd { return Warn("not over SSH; on your own machine: " + command) }

// AlertsTold gives the dashboard the alerts whose limits are crossed, one line each. Text is what
// was reported since the last message; it is "" if nothing was.
type AlertsTold struct {
	Open []string
	Text string
}

// Copy asks the dashboard to put Text on the clipboard. What names the text in the notice that
// follows, such as "the invoice's number". While amounts are hidden on the screen, they are masked
// in the copied text too, unless Unmasked is set.
type Copy struct {
	What, Text string
	Unmasked   bool
}

// PutOnClipboard returns the command that sends a Copy message.
func PutOnClipboard(what, text string) tea.Cmd {
	return func() tea.Msg { return Copy{What: what, Text: text} }
}
