package figures

// Explanations of three amounts of cash that are shown side by side.
const (
	AvailableMeans = "what this account can spend now; holding, locked and pending are excluded"
	CashMeans      = "all settled cash of all feeds, held and locked included"
	SpendableMeans = "what the runway counts: held, locked and pending are excluded"
)

// TotalsMean explains why totals of invoices differ from Receivables.
const TotalsMean = "Totals are before part payments; Receivables counts what is still owed."
