package bookkeeping

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"tarmac/internal/money"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// ImportRecord describes an import for the output of `tarmac books imports`.
type ImportRecord struct {
	ID    string       `json:"import"`
	At    time.Time    `json:"imported_at"`
	Files []FileRecord `json:"files"`
	// New is the number of booked lines that no earlier import has.
	New int `json:"new"`
}

// FileRecord describes a file of an import.
type FileRecord struct {
	Name   string `json:"file"` // file name without its directory
	Format string `json:"format"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// Imports returns all imports that were not undone, the oldest first.
func (b *Books) Imports(ctx context.Context) ([]ImportRecord, error) {
	_, imports, err := b.Overview(ctx)
	return imports, err
}

// Period is a range of days, both inclusive, as YYYY-MM-DD.
type Period struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

// AccountState describes an account for the output of `tarmac books`. Amounts are in minor units.
type AccountState struct {
	// Account is "…" and the last four characters of the number, or the whole name.
	Account      string         `json:"account"`
	Bank         string         `json:"bank"`
	Name         string         `json:"name"`
	Renamed      bool           `json:"-"` // true if the user gave the name
	Currency     string         `json:"currency"`
	Role         bookrules.Role `json:"role"`
	BalanceMinor *int64         `json:"balance_minor"` // nil if no file gives a balance
	AsOf         *string        `json:"as_of"`         // day of the balance; nil if there is none
	Covered      []Period       `json:"covered"`       // days covered by statements
	Lines        int            `json:"lines"`
	// ResidualMinor is the amount missing between two balances; 0 if the lines add up. Only periods
	// that statements cover completely are checked.
	ResidualMinor int64 `json:"residual_minor"`
	Contradiction bool  `json:"contradiction"`
	PendingMinor  int64 `json:"pending_minor"` // total of the current pending lines
	// Proven lists the periods whose lines add up between two balances.
	Proven []Period `json:"proven"`
	// Differences lists the periods whose lines do not add up, although statements cover all days.
	Differences []Difference `json:"differences"`
}

// Difference is a period between two balances whose lines do not add up to the difference of the
// balances. Amounts are in minor units.
type Difference struct {
	Period
	FromMinor     int64 `json:"from_minor"` // balance at the first day
	ToMinor       int64 `json:"to_minor"`   // balance at the last day
	ResidualMinor int64 `json:"residual_minor"`
}

// Proof says in a few words whether the account's lines add up to its balances.
func (a *AccountState) Proof() string {
	switch {
	case a.BalanceMinor == nil:
		return "no balance known"
	case a.Contradiction:
		return "lacks " + money.Format(a.ResidualMinor, a.Currency)
	case len(a.Proven) == 0:
		return "needs a second balance"
	}
	return "yes"
}

// Accounts returns the accounts of the books in the order in which they first appeared.
func (b *Books) Accounts(ctx context.Context) ([]AccountState, error) {
	accounts, _, err := b.Overview(ctx)
	return accounts, err
}

// Overview returns the results of Accounts and Imports, read in one database transaction.
func (b *Books) Overview(ctx context.Context) (accounts []AccountState, imports []ImportRecord, err error) {
	accounts, imports = []AccountState{}, []ImportRecord{}
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		l, err := b.load(snap)
		if err != nil {
			return err
		}
		records, err := snap.BookImports(b.Org)
		if err != nil {
			return err
		}
		fresh := make([]int, len(records))
		for _, a := range l.accounts {
			d, err := l.derive(a)
			if err != nil {
				return err
			}
			state := d.state()
			state.PendingMinor = l.pending(&d)
			accounts = append(accounts, state)
			d.countNew(records, fresh)
		}
		for n, i := range records {
			imports = append(imports, recordOf(i, fresh[n]))
		}
		return nil
	})
	return accounts, imports, err
}

// recordOf describes an import. The parameter fresh is the number of lines that it added to the
// books.
func recordOf(i bookrules.Import, fresh int) ImportRecord {
	r := ImportRecord{ID: i.ID, At: i.At, New: fresh}
	for _, f := range i.Files {
		r.Files = append(r.Files, FileRecord{f.Name, f.Format, hex.EncodeToString(f.SHA256[:])})
	}
	return r
}

// countNew adds to fresh[i] the number of the account's lines that imports[i] has and no earlier
// import has. The imports are in the order in which they were made.
func (d *derived) countNew(imports []bookrules.Import, fresh []int) {
	open := make(map[lineGroup]int, len(d.merged))
	for _, g := range countLines(d.merged) {
		open[g.lineGroup] = g.lines
	}
	had := make(map[lineGroup]int, len(open)) // number of lines in the imports that the loop has counted
	last := make(map[lineGroup]int, len(open))
	for n, i := range imports {
		for at, content := range d.contents {
			if !slices.ContainsFunc(i.Files, func(f bookrules.ImportedFile) bool { return f.Key == d.files[at] }) {
				continue
			}
			own := map[lineGroup]int{}
			for _, e := range content.Entries {
				group := lineGroup{e.Day, e.Minor}
				last[group] = n
				if own[group]++; own[group] > had[group] && had[group] < open[group] {
					had[group]++
					fresh[n]++
				}
			}
		}
	}
	// If one file ends and another begins within a day, each may have different lines of the same
	// amount.
	for group, n := range open {
		if at, found := last[group]; found {
			fresh[at] += n - had[group]
		}
	}
}

// state returns the figures of an account for the user.
func (d *derived) state() AccountState {
	s := AccountState{
		Account: ShortNumber(d.Number), Bank: d.Bank, Name: d.Name, Renamed: d.Renamed, Currency: d.Currency, Role: d.Role,
		Covered: []Period{}, Lines: len(d.merged),
	}
	for _, span := range bookrules.Covered(d.contents) {
		s.Covered = append(s.Covered, Period{span.First.Date().String(), span.Last.Date().String()})
	}
	if b, known := bookrules.BookedBalance(d.merged, d.contents); known {
		s.BalanceMinor, s.AsOf = &b.Minor, dateText(b.Day.Date())
	}
	s.Proven = []Period{}
	for _, span := range d.proof.Proven {
		s.Proven = append(s.Proven, Period{span.First.Date().String(), span.Last.Date().String()})
	}
	s.Differences = []Difference{}
	for _, g := range d.proof.Gaps {
		if len(g.Uncovered) == 0 {
			period := Period{g.From.Day.Date().String(), g.To.Day.Date().String()}
			s.Differences = append(s.Differences, Difference{period, g.From.Minor, g.To.Minor, g.Residual})
		}
	}
	s.ResidualMinor, s.Contradiction = d.proof.Residual()
	return s
}
