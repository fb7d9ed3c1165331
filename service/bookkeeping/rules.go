package bookkeeping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tarmac/internal/termtext"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// RulesFile is the file in which the user keeps the rules of own books. Each change of the books
// reads the rules from it.
type RulesFile interface {
	Path() string
	// Read returns the content of the file. It returns "" if there is no file.
	Read() (string, error)
	Write(text string) error
}

// RulesReport says what the rules of the books are and what they decide. Its JSON is the output of
// `tarmac books rules`.
type RulesReport struct {
	// File is the path of the rules file. It is nil if the database alone has the rules.
	File *string `json:"file"`
	// Applied is true if the transactions follow these rules. It is false after the file changed.
	Applied bool         `json:"applied"`
	Rules   []RuleReport `json:"rules"`
	Text    string       `json:"-"` // the rules as a rules file
}

// RuleReport describes a rule. Fields that the rule does not have are "".
type RuleReport struct {
	Line         int    `json:"line"` // number of the line in the rules file at which the rule begins
	Match        string `json:"match"`
	Account      string `json:"account,omitempty"`
	Amount       string `json:"amount,omitempty"`
	Direction    string `json:"direction,omitempty"`
	Counterparty string `json:"counterparty,omitempty"`
	Category     string `json:"category,omitempty"`
	Memo         string `json:"memo,omitempty"`
	Transfer     string `json:"transfer,omitempty"` // "true", "false" or the other account
	Hits         int    `json:"hits"`               // number of lines that the rule decides
}

// RulesChange describes what new rules have changed.
type RulesChange struct {
	RulesReport
	// ChangedRows is the number of transactions that were added, changed or removed.
	ChangedRows int `json:"changed_rows"`
	// PaidInvoices lists the numbers of the organization's own invoices that are paid now and were
	// not before the change.
	PaidInvoices []string `json:"paid_invoices,omitempty"`
}

// Rules returns the current rules and the number of lines that each of them decides. It does not
// change the books.
func (b *Books) Rules(ctx context.Context) (report RulesReport, err error) {
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		stored, err := snap.BookRules(b.Org)
		if err != nil {
			return err
		}
		current, err := b.rulesText(stored)
		if err != nil {
			return err
		}
		rules, err := b.parseRules(current)
		if err != nil {
			return err
		}
		l, all, err := b.deriveAll(snap)
		if err != nil {
			return err
		}
		l.rules = rules
		report, err = l.reportRules(all, current)
		report.Applied = current == stored
		return err
	})
	return report, err
}

// ApplyRules derives the transactions again with the current content of the rules file.
func (b *Books) ApplyRules(ctx context.Context) (RulesChange, error) {
	return b.EditRules(ctx, func(current string) string { return current })
}

// EditRules replaces the rules by the result of edit, derives the transactions again, and writes
// the rules file if there is one. If the new rules are not valid, the error names the line and
// nothing is changed.
func (b *Books) EditRules(ctx context.Context, edit func(current string) string) (done RulesChange, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	fromFile, err := b.rulesText("")
	if err != nil {
		return done, err
	}
	err = b.changeBooks(ctx, func(c *change) error {
		current := fromFile
		err := c.write(func(tx *store.Tx) (err error) {
			if b.RulesFile == nil {
				current, err = tx.BookRules(b.Org)
			}
			return errors.Join(err, b.refuseForeign(tx))
		})
		if err != nil {
			return err
		}
		text := edit(current)
		if b.RulesFile != nil && text != current {
			c.finish = func(*store.Tx) error { return b.RulesFile.Write(text) }
		}
		done, err = c.replaceRules(text)
		return err
	})
	return done, err
}

// replaceRules stores the rules and derives the transactions again.
func (c *change) replaceRules(text string) (done RulesChange, err error) {
	if _, err := c.parseRules(text); err != nil {
		return done, err
	}
	c.edits.rules, c.counting = &text, true
	err = c.derive(func(l *ledgerBooks) (d derivedBooks, err error) {
		if d.matching, err = l.matching(); err != nil {
			return d, err
		}
		done.RulesReport, err = l.reportRules(d.matching.accounts, text)
		return d, err
	})
	done.Applied, done.ChangedRows, done.PaidInvoices = true, c.rows, c.paid
	return done, err
}

// changedRules returns the content of the rules file, or nil if the stored rules are the same.
func (b *Books) changedRules(r reader) (*string, error) {
	stored, err := r.BookRules(b.Org)
	if err != nil {
		return nil, err
	}
	current, err := b.rulesText(stored)
	if err != nil || current == stored {
		return nil, err
	}
	if _, err := b.parseRules(current); err != nil {
		return nil, err
	}
	return &current, nil
}

// rulesText returns the content of the rules file, or the stored rules if there is no such file.
func (b *Books) rulesText(stored string) (string, error) {
	if b.RulesFile == nil {
		return stored, nil
	}
	return b.RulesFile.Read()
}

func (b *Books) parseRules(text string) (bookrules.Rules, error) {
	rules, err := bookrules.ParseRules([]byte(text))
	switch {
	case err == nil:
		return rules, nil
	case b.RulesFile != nil:
		return nil, fmt.Errorf("%s, %w", termtext.Line(b.RulesFile.Path()), err)
	}
	return nil, fmt.Errorf("the rules, %w", err)
}

// reportRules describes the rules in l.rules and counts the lines that each of them decides. Lines
// of excluded accounts do not count.
func (l *ledgerBooks) reportRules(accounts []derived, text string) (r RulesReport, err error) {
	hits := l.rules.Hits(func(yield func(bookrules.Outcome) bool) {
		for n := range accounts {
			a := &accounts[n]
			if a.Role == bookrules.Excluded || len(a.merged) == 0 || err != nil {
				continue
			}
			all := bookrules.Span{First: a.merged[0].Day, Last: a.merged[len(a.merged)-1].Day}
			err = l.lines(a, all, func(_ int, line bank.Line) error {
				yield(l.rules.Apply(a.Account, line))
				return nil
			})
		}
	})
	if err != nil {
		return r, err
	}
	r = RulesReport{Text: text, Rules: make([]RuleReport, len(l.rules))}
	if l.RulesFile != nil {
		path := l.RulesFile.Path()
		r.File = &path
	}
	for n := range l.rules {
		r.Rules[n] = describeRule(&l.rules[n])
		r.Rules[n].Hits = hits[n]
	}
	return r, nil
}

func describeRule(rule *bookrules.Rule) RuleReport {
	r := RuleReport{
		Line: rule.Line, Match: strings.TrimSuffix(strings.TrimPrefix(rule.Match.String(), "(?i:"), ")"),
		Account: rule.Account, Amount: rule.Amount,
		Counterparty: rule.Counterparty, Category: rule.Category, Memo: rule.Memo,
	}
	if rule.Direction != nil {
		r.Direction = map[ledger.Direction]string{ledger.Inflow: "in", ledger.Outflow: "out"}[*rule.Direction]
	}
	if rule.Transfer.Set {
		r.Transfer = cmp.Or(rule.Transfer.Account, strconv.FormatBool(rule.Transfer.Own))
	}
	return r
}
