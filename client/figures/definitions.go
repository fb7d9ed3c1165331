package figures

// Explanations of three different amounts of cash that are shown side by side.
const (
	AvailableMeaning = "what this account can spend now; holding, locked and pending are excluded"
	CashMeaning      = "all settled cash, held and locked included"
	SpendableMeaning = "used for the runway; held, locked and pending are excluded"
)

// ImportedItems explains why receivables have no invoices behind them.
const ImportedItems = "What is owed here was imported as open items, for example from an accounting program. They " +
	"count in Receivables and are not listed as invoices."

// UnreadableItems explains why receivables have no invoices behind them, if some invoices could not
// be read.
const UnreadableItems = "What is owed here may be of invoices that could not be read, or was imported as open items."

// TotalsMeaning explains why the totals on the Invoices page differ from those on the Receivables
// page.
const TotalsMeaning = "Totals are before part payments; Receivables counts what is still owed."
