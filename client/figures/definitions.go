package figures

// What the amounts of cash count that stand beside each other with three values.
const (
	AvailableMeans = "what this account can spend now; holding, locked and pending cannot be spent"
	CashMeans      = "all settled cash of all feeds, held and locked included"
	SpendableMeans = "what the runway counts: held, locked and pending are excluded"
)

// TotalsMean says how the totals of invoices differ from the receivables that led to them.
const TotalsMean = "Totals are before part payments; Receivables counts what is still owed."
