package bookkeeping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// CurrencyState says in which currency the books report, why, and what a change would need. Its
// JSON is the output of `tarmac books currency`.
type CurrencyState struct {
	Currency string `json:"currency"`
	// Chosen is the owner's choice; nil if the currency follows from an import.
	Chosen *string `json:"chosen"`
	// Why says where the currency comes from, as a sentence.
	Why string `json:"why"`
	// Transactions counts the transactions by currency, and those without a rate.
	Transactions []CurrencyRows `json:"transactions"`
	Missing      []MissingRates `json:"missing"`
}

// CurrencyRows counts the transactions of a currency.
type CurrencyRows struct {
	Currency string `json:"currency"`
	Rows     int    `json:"transactions"`
	Unrated  int    `json:"without_rate"` // number of them that are unknown in the currency of reports
}

// CurrencyChange is a change of the currency in which the books report. Its JSON is the output of
// `tarmac books currency EUR`.
type CurrencyChange struct {
	CurrencyState
	Before       string  `json:"before"`        // currency before the change
	BeforeChosen *string `json:"before_chosen"` // CurrencyState.Chosen before the change
}

// Changes reports whether the change changes anything.
func (c *CurrencyChange) Changes() bool {
	return c.Before != c.Currency || (c.BeforeChosen == nil) != (c.Chosen == nil)
}

// Undo returns the currency with which SetCurrency takes the change back.
func (c *CurrencyChange) Undo() string {
	if c.BeforeChosen == nil {
		return AutoCurrency
	}
	return *c.BeforeChosen
}

// ErrCurrency is returned for a text that is no currency of ISO 4217.
var ErrCurrency = errors.New("not a currency of ISO 4217, such as EUR")

// AutoCurrency stands for the currency that follows from the oldest import.
const AutoCurrency = "auto"

// parseReporting returns the choice that a text names: "" for AutoCurrency.
func parseReporting(text string) (chosen string, err error) {
	text = strings.TrimSpace(text)
	if strings.EqualFold(text, AutoCurrency) {
		return "", nil
	}
	if text = strings.ToUpper(text); !bank.IsCurrency(text) {
		return "", ErrCurrency
	}
	return text, nil
}

// Currency says in which currency the books report.
func (b *Books) Currency(ctx context.Context) (state CurrencyState, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		mt, err := b.matchingEdited(snap, bookEdits{})
		if err == nil {
			state, err = mt.currencyState()
		}
		return err
	})
	return state, err
}

// PreviewCurrency returns what SetCurrency would return. It changes nothing.
func (b *Books) PreviewCurrency(ctx context.Context, currency string) (change CurrencyChange, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	chosen, err := parseReporting(currency)
	if err != nil {
		return change, err
	}
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		if err := change.readBefore(snap, b.Org); err != nil {
			return err
		}
		mt, err := b.matchingEdited(snap, bookEdits{chosen: &chosen})
		if err == nil {
			change.CurrencyState, err = mt.currencyState()
		}
		return err
	})
	return change, err
}

// SetCurrency makes the books report in a currency, or with AutoCurrency in the one that follows
// from the oldest import. Readers see all of the change or nothing. It returns ErrCurrency if the
// text is no currency.
func (b *Books) SetCurrency(ctx context.Context, currency string) (done CurrencyChange, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	chosen, err := parseReporting(currency)
	if err != nil {
		return done, err
	}
	err = b.changeBooks(ctx, func(c *change) error {
		err := c.look(func(r reader) error {
			if err := done.readBefore(r, b.Org); err != nil {
				return err
			}
			c.edits.rules, err = b.changedRules(r)
			return err
		})
		if err != nil {
			return err
		}
		c.edits.chosen = &chosen
		var failed error
		err = c.deriveAll(func(mt *matching) { done.CurrencyState, failed = mt.currencyState() })
		return errors.Join(err, failed)
	})
	return done, err
}

func (c *CurrencyChange) readBefore(r reader, org store.OrgKey) error {
	before, err := r.ReportingCurrency(org)
	c.Before, c.BeforeChosen = before.Code, textOrNil(before.Chosen)
	return err
}

// CurrencyCode returns the currency in which the books report.
func (b *Books) CurrencyCode(ctx context.Context) (currency string, err error) {
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		reporting, err := snap.ReportingCurrency(b.Org)
		currency = reporting.Code
		return err
	})
	return currency, err
}

// matchingEdited returns the matching of all accounts with edits.
func (b *Books) matchingEdited(r reader, edits bookEdits) (*matching, error) {
	l, err := b.loadEdited(r, edits)
	if err != nil {
		return nil, err
	}
	return l.matching()
}

// currencyState describes the currency in which the matching reports.
func (mt *matching) currencyState() (CurrencyState, error) {
	s := CurrencyState{
		Currency: mt.books.currency, Chosen: textOrNil(mt.books.chosen), Why: mt.books.whyCurrency(),
		Transactions: []CurrencyRows{},
	}
	for n := range mt.accounts {
		mt.countRates(&mt.accounts[n], &s)
	}
	slices.SortFunc(s.Transactions, func(a, b CurrencyRows) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Currency, b.Currency))
	})
	var err error
	s.Missing, err = mt.missingRates()
	return s, err
}

// countRates adds the transactions of an account to those of its currency.
func (mt *matching) countRates(a *derived, s *CurrencyState) {
	at := slices.IndexFunc(s.Transactions, func(r CurrencyRows) bool { return r.Currency == a.Currency })
	if at < 0 {
		at = len(s.Transactions)
		s.Transactions = append(s.Transactions, CurrencyRows{Currency: a.Currency})
	}
	rows := &s.Transactions[at]
	for n := range a.merged {
		if !mt.isTransaction(a.firstMovement + n) {
			continue
		}
		rows.Rows++
		if _, known := mt.valuation.Value(0, a.Currency, a.merged[n].Day); !known {
			rows.Unrated++
		}
	}
}

// isTransaction reports whether a line becomes a transaction (matching.row).
func (mt *matching) isTransaction(movement int) bool {
	switch mt.transfers.Treatments[movement] {
	case bookrules.IsRow, bookrules.IsOneSided, bookrules.IsSuspected:
		return true
	}
	return mt.lost[movement] != 0
}

// whyCurrency says where the currency of reports comes from.
func (l *ledgerBooks) whyCurrency() string {
	r := l.derivedCurrency
	switch {
	case l.chosen != "":
		return "You chose it."
	case r.Import == "":
		return "There are no statements yet."
	case r.Answered:
		return fmt.Sprintf("You said so at the import %s.", r.Import)
	case len(r.Lines) == 1:
		return fmt.Sprintf("It is the currency of the oldest import, %s.", r.Import)
	}
	return fmt.Sprintf("It is the currency of most lines of the oldest import, %s: %s.", r.Import, linesText(r.Lines))
}

// hasMajority reports whether more than half of the lines have the first currency.
func hasMajority(lines []bookrules.CurrencyLines) bool {
	others := 0
	for _, l := range lines[1:] {
		others += l.Lines
	}
	return lines[0].Lines > others
}

// linesText lists how many lines there are in each currency, such as "41 in EUR, 3 in USD".
func linesText(lines []bookrules.CurrencyLines) string {
	texts := make([]string, len(lines))
	for n, l := range lines {
		texts[n] = money.Count(int64(l.Lines)) + " in " + l.Currency
	}
	return strings.Join(texts, ", ")
}

// UpdateCurrency derives the books again if they report in another currency than follows from them,
// or if a version of the program has changed them that does not know the currency. It returns the
// currency then, and otherwise "".
func (b *Books) UpdateCurrency(ctx context.Context) (updated string, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	due := false
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		due, err = b.isCurrencyDue(snap)
		return err
	})
	if err != nil || !due {
		return "", err
	}
	err = b.changeBooks(ctx, func(c *change) error {
		return c.deriveAll(func(mt *matching) { updated = mt.books.currency })
	})
	return updated, err
}

// isCurrencyDue reports whether UpdateCurrency must derive the books again.
func (b *Books) isCurrencyDue(snap *store.Snapshot) (bool, error) {
	stored, err := snap.ReportingCurrency(b.Org)
	if err != nil {
		return false, err
	}
	l := &ledgerBooks{Books: b, reader: snap}
	if l.accounts, err = snap.BookAccounts(b.Org); err != nil || len(l.accounts) == 0 {
		return false, err
	}
	if l.statements, err = snap.BookStatements(b.Org); err != nil {
		return false, err
	}
	imports, err := snap.BookImports(b.Org)
	if err != nil {
		return false, err
	}
	if err := l.findCurrency(imports, nil); err != nil || l.currency != stored.Code {
		return err == nil, err
	}
	if stored.Code == bookrules.USD {
		return false, nil
	}
	_, err = snap.ReportedCashShares(b.Org)
	if errors.Is(err, store.ErrOutdated) {
		return true, nil
	}
	return false, err
}

// findCurrency sets in which currency the books report. chosen is a choice that is not stored yet,
// or nil.
func (l *ledgerBooks) findCurrency(imports []bookrules.Import, chosen *string) error {
	stored, err := l.ReportingCurrency(l.Org)
	if err != nil {
		return err
	}
	l.chosen = stored.Chosen
	if chosen != nil {
		l.chosen = *chosen
	}
	l.derivedCurrency = bookrules.ReportingOf(imports, l.statements, l.accounts)
	l.currency = cmp.Or(l.chosen, l.derivedCurrency.Currency)
	return nil
}

// keepCurrency stores in which currency the books report. As the readings of a connection change
// the number of lines in a currency, it also stores what follows from its first one.
func (p *publisher) keepCurrency() error {
	books := p.matching.books
	imports, err := p.tx.BookImports(books.Org)
	if err != nil {
		return err
	}
	for _, i := range imports {
		if i.ID == books.derivedCurrency.Import && i.Connection() != "" && i.Reporting == "" {
			if err := p.tx.SetImportReporting(books.Org, i.Key, books.derivedCurrency.Currency); err != nil {
				return err
			}
		}
	}
	return p.tx.SetReportingCurrency(books.Org, store.ReportingCurrency{Code: books.currency, Chosen: books.chosen})
}

// ReportingError is the error for an answer in which currency to report that comes too late.
type ReportingError struct{ Currency string }

func (e *ReportingError) Error() string {
	return fmt.Sprintf("the books report in %s already; change it with books currency", e.Currency)
}

// answerReporting stores the user's answer in which currency to report, which the first import of
// statements asks.
func (i *importing) answerReporting() error {
	if i.options.ReportIn == "" {
		return nil
	}
	return i.change.write(func(tx *store.Tx) error {
		stored, err := tx.ReportingCurrency(i.change.Org)
		if err != nil {
			return err
		}
		if len(i.statements) > 0 || stored.Chosen != "" {
			if stored.Code == i.options.ReportIn {
				return nil
			}
			return &ReportingError{stored.Code}
		}
		return tx.SetImportReporting(i.change.Org, i.record.Key, i.options.ReportIn)
	})
}

// reportCurrency adds to the report in which currency the books report, if this is the first import
// with statements and they have several currencies.
func (i *importing) reportCurrency(l *ledgerBooks) {
	r := l.derivedCurrency
	if r.Import != i.record.ID || l.chosen != "" || r.Answered || len(r.Lines) < 2 {
		return
	}
	var codes, counts []string
	for _, l := range r.Lines {
		codes, counts = append(codes, l.Currency), append(counts, plural.Count(l.Lines, "line")+" in "+l.Currency)
	}
	if !hasMajority(r.Lines) {
		i.report.General = []ownbooks.Question{ownbooks.CurrencyQuestion(codes, strings.Join(counts, ", "))}
	}
	if len(i.report.Files) > 0 {
		f := &i.report.Files[0]
		f.Problems = append(f.Problems, fmt.Sprintf("the books report in %s, the currency of most lines (%s); "+
			"`--report-in` or `books currency` changes that", r.Currency, linesText(r.Lines)))
	}
}

// textOrNil returns a pointer to s; nil if s is "".
func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
