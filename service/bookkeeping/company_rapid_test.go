package bookkeeping_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/long"
	"tarmac/service/bookkeeping"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// newCompanyBooks returns the empty books of a new organization.
func newCompanyBooks(t *rapid.T, b *bookkeeping.Books) *bookkeeping.Books {
	another := *b
	err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
		id, err := b.IDs.New(ids.Organization, now)
		if err == nil {
			another.Org, err = tx.CreateOrganization(store.Organization{PublicID: id, Name: "Company", CreatedAt: now})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return &another
}

// Whatever files a year's lines come in, the books are those of one file for each account. At every
// step they have the lines of the days that files cover, each once, and add up to the balances.
func TestTheBooksFollowFromTheLinesAndNotFromTheFiles(t *testing.T) {
	long.Cases(t, 3, 15)
	shared := newBooks(t)
	rapid.Check(t, func(t *rapid.T) {
		c := drawCompany(t)
		k := &companyBooks{T: t, company: c, b: newCompanyBooks(t, shared)}
		k.chooseCurrency()
		for n := range c.accounts {
			k.take(c.file(n, yearFirst, yearLast, "ofx"))
		}
		k.take(ratesFile())
		k.check()
		k.want = k.rows()
		want := k.picture()
		for len(k.imports) > 0 {
			k.undo(0)
		}

		files := c.drawFiles(t)
		order := slices.Clone(files)
		if rapid.Bool().Draw(t, "any order") {
			order = rapid.Permutation(files).Draw(t, "order")
		}
		for _, file := range order {
			k.take(file)
			k.check()
			if rapid.IntRange(0, 3).Draw(t, "again") == 0 {
				file := rapid.SampledFrom(files).Draw(t, "file")
				k.take(file)
				k.check()
				checkKnown(t, k.b, file.source())
			}
			if rapid.IntRange(0, 3).Draw(t, "undo") == 0 {
				k.undo(rapid.IntRange(0, len(k.imports)-1).Draw(t, "import"))
				k.check()
			}
		}
		for _, file := range files { // what was undone
			if !k.has(file) {
				k.take(file)
			}
		}

		k.check()
		if got := k.picture(); got != want {
			t.Fatalf("the books are:\n%s\nwant:\n%s", got, want)
		}
	})
}

// companyBooks are the books of a company with the imports that were made.
type companyBooks struct {
	*rapid.T
	company *company
	b       *bookkeeping.Books
	filter  ledger.Filter                 // with the currency in which the books report
	want    map[string]ledger.Transaction // by id; all transactions of the year
	imports []companyImport
}

type companyImport struct {
	id   string
	file *companyFile
}

// chooseCurrency chooses the currency in which the books report. Otherwise it would follow from the
// oldest import.
func (k *companyBooks) chooseCurrency() {
	currency := rapid.SampledFrom([]string{"USD", "EUR"}).Draw(k.T, "currency of the books")
	err := k.b.Store.Write(k.Context(), func(tx *store.Tx) error {
		return tx.SetReportingCurrency(k.b.Org, store.ReportingCurrency{Code: currency, Chosen: currency})
	})
	if err != nil {
		k.Fatal(err)
	}
	if currency != "USD" {
		k.filter.Currency = currency
	}
}

func (k *companyBooks) take(file *companyFile) {
	k.b.SetAtOnce(rapid.SampledFrom([]int{0, -1, 5}).Draw(k.T, "transactions at once"))
	report, err := k.b.Import(k.Context(), []bookkeeping.Source{file.source()}, bookkeeping.Options{})
	if err != nil || report.Failed() || report.Import == "" {
		k.Fatalf("importing %s: %+v, %v\n%s", file.name, report, err, file.content)
	}
	k.imports = append(k.imports, companyImport{string(report.Import), file})
}

func (k *companyBooks) undo(n int) {
	if _, err := k.b.Undo(k.Context(), k.imports[n].id); err != nil {
		k.Fatalf("undoing the import of %s: %v", k.imports[n].file.name, err)
	}
	k.imports = slices.Delete(k.imports, n, n+1)
}

func (k *companyBooks) has(file *companyFile) bool {
	return slices.ContainsFunc(k.imports, func(i companyImport) bool { return i.file.name == file.name })
}

// knows reports whether a file of an account is imported.
func (k *companyBooks) knows(account int) bool {
	return slices.ContainsFunc(k.imports, func(i companyImport) bool { return i.file.account == account })
}

// covers reports whether a file that is imported covers a day of an account.
func (k *companyBooks) covers(account int, day civil.Date) bool {
	return slices.ContainsFunc(k.imports, func(i companyImport) bool {
		return i.file.account == account && day.Compare(i.file.covered[0]) >= 0 && day.Compare(i.file.covered[1]) <= 0
	})
}

func (k *companyBooks) rows() map[string]ledger.Transaction {
	page, summary, err := k.b.Store.Listing(k.Context(), k.b.Org, k.filter, nil, 1000)
	if err != nil || summary.Count != int64(len(page.Rows)) {
		k.Fatalf("%d transactions, kept totals of %+v, %v", len(page.Rows), summary, err)
	}
	rows := map[string]ledger.Transaction{}
	for _, row := range page.Rows {
		rows[row.ID] = row
	}
	return rows
}

// check compares the books with the lines of the days that the imported files cover.
func (k *companyBooks) check() {
	rows := k.rows()
	others, sums, prefix := 0, map[string]int64{}, true
	for n, a := range k.company.accounts {
		last, gap := yearFirst.AddDays(-1), false
		for day := yearFirst; day.Compare(yearLast) <= 0; day = day.AddDays(1) {
			if !k.covers(n, day) {
				gap = true
				continue
			}
			prefix = prefix && (!gap || a.currency != "USD")
			last = day
		}
		for i, l := range a.lines {
			// A transfer to an account that is not in the books yet is a payment.
			if k.covers(n, l.Booked) && (a.other[i] < 0 || !k.knows(a.other[i])) {
				others++
			}
		}
		sums[a.currency] += a.balance(last) - a.opening
	}
	if len(rows) != others {
		k.Fatalf("there are %d transactions, want %d: %v; after the files %s", len(rows), others,
			slices.Sorted(maps.Keys(rows)), k.fileNames())
	}
	signed := map[string]int64{}
	for id, row := range rows {
		k.checkRow(row, k.want[id])
		sign := map[ledger.Direction]int64{ledger.Inflow: 1, ledger.Outflow: -1}[row.Direction]
		signed[row.Currency] += sign * row.AmountMinor
	}
	k.checkAccounts()
	if different, err := k.b.DerivedAnew(k.Context()); different != 0 || err != nil {
		k.Fatalf("%d transactions are not as if all were derived anew, %v; after the files %s", different, err, k.fileNames())
	}
	// Opening balances with the transactions are the closing balances with what is in transit.
	if holding, known := k.holding(); known && prefix && sums["USD"]+holding != signed["USD"] {
		k.Fatalf("balances grew by %d, transactions come to %d, in transit are %d", sums["USD"], signed["USD"], holding)
	}
}

// checkRow compares a transaction with that of the same id in the books of whole files. How much of
// a name is shown depends on the other lines.
func (k *companyBooks) checkRow(row, want ledger.Transaction) {
	if k.want == nil || strings.HasPrefix(row.Counterparty, ownTransfer) {
		return
	}
	sameName := strings.HasPrefix(row.Counterparty, want.Counterparty) ||
		strings.HasPrefix(want.Counterparty, row.Counterparty)
	if want.ID != row.ID || want.Date != row.Date || want.AmountMinor != row.AmountMinor ||
		want.Direction != row.Direction || want.Currency != row.Currency || !sameName {
		k.Fatalf("the transaction %+v, want %+v; after the files %s", row, want, k.fileNames())
	}
}

// checkAccounts compares the balances with those of the bank.
func (k *companyBooks) checkAccounts() {
	states, err := k.b.Accounts(k.Context())
	if err != nil {
		k.Fatal(err)
	}
	for i := range states {
		s := &states[i]
		n := slices.IndexFunc(k.company.accounts, func(a *companyAccount) bool {
			return strings.HasSuffix(a.Number, strings.TrimPrefix(s.Number, "…"))
		})
		if n < 0 {
			k.Fatalf("the account %+v is none of the company's; after the files %s", s, k.fileNames())
		}
		lines := 0
		for _, l := range k.company.accounts[n].lines {
			if k.covers(n, l.Booked) {
				lines++
			}
		}
		if s.Contradiction || s.Balance == nil || s.Lines != lines {
			k.Fatalf("%s has %d lines, want %d: %+v", s.Number, s.Lines, lines, s)
		}
		if want := k.company.accounts[n].balance(s.AsOf); *s.Balance != want {
			k.Fatalf("the balance of %s on %s is %d, want %d", s.Number, s.AsOf, *s.Balance, want)
		}
	}
}

// holding returns the money in transit between accounts.
func (k *companyBooks) holding() (cents int64, known bool) {
	err := k.b.Store.Read(k.Context(), func(snap *store.Snapshot) error {
		account, err := snap.ManagedAccount(k.b.Org)
		cents, known = account.Balance.HoldingCents, account.Open && !account.Fault
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
	return cents, known
}

// picture describes what the API answers. If all files have one format, that includes all texts and
// the order of the transactions.
func (k *companyBooks) picture() string {
	var b strings.Builder
	page, summary, err := k.b.Store.Listing(k.Context(), k.b.Org, k.filter, nil, 1000)
	if err != nil {
		k.Fatal(err)
	}
	rows := page.Rows
	if k.company.mixed {
		slices.SortFunc(rows, func(x, y ledger.Transaction) int { return cmp.Compare(x.ID, y.ID) })
		for n := range rows {
			rows[n].Memo, rows[n].Method, rows[n].Reference = "", "", ""
		}
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "%+v\n", row)
	}
	fmt.Fprintf(&b, "%+v\n", summary)
	err = k.b.Store.Read(k.Context(), func(snap *store.Snapshot) error {
		account, err := snap.ManagedAccount(k.b.Org)
		fmt.Fprintf(&b, "%d available, %d held\n", account.Balance.AvailableCents, account.Balance.HoldingCents)
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
	return b.String()
}

// fileNames returns the names of the imported files with their lines.
func (k *companyBooks) fileNames() string {
	var names []string
	for _, i := range k.imports {
		names = append(names, i.file.name)
	}
	return strings.Join(names, " ")
}
