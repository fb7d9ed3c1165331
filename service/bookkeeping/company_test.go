package bookkeeping_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
)

// The year that the files of a company cover.
var yearFirst, yearLast = civil.New(2025, 11, 1), civil.New(2026, 10, 31)

// companyAccount is an account of a company with all its lines of the year.
type companyAccount struct {
	bank.Account
	currency string
	opening  int64
	lines    []bank.Line // ordered by day
	other    []int       // index of the other account of the transfer that is the line of that index, or -1
}

const ownTransfer = "Own transfer" // counterparty of transfers between own accounts

// company is a company's year in the bank, and how files are made of it.
type company struct {
	accounts []*companyAccount
	mixed    bool   // files have several formats
	idMode   string // "stable" in all files, counted "from one" in each, or "none"
}

// companyFile is a file of some days of an account.
type companyFile struct {
	name    string
	content []byte
	account int // index in company.accounts; -1 for exchange rates
	covered [2]civil.Date
}

func (f *companyFile) source() bookkeeping.Source {
	return bookkeeping.Source{
		Name: f.name, Content: bytes.NewReader(f.content),
		Options: bank.Options{DateOrder: bank.MonthFirst, Sign: bank.OutNegative}, // few lines decide neither
	}
}

// drawCompany draws few amounts and days, so that many lines are equal.
func drawCompany(t *rapid.T) *company {
	c := &company{mixed: rapid.Bool().Draw(t, "mixed"), idMode: rapid.SampledFrom([]string{
		"stable", "from one", "none"}).Draw(t, "ids")}
	for n, a := range []bank.Account{
		{Number: "440012344821", Kind: bank.KindChecking, Bank: "HRPIUS30", Name: "Operating"},
		{Number: "980041207733", Kind: bank.KindSavings, Bank: "NGTSUS30", Name: "Reserve"},
		{Number: "DE40999000000041200731", Bank: "HRPIDEF0", Name: "Euro"},
	} {
		c.accounts = append(c.accounts, &companyAccount{
			Account: a, currency: []string{"USD", "USD", "EUR"}[n], opening: int64(n) * 100_00,
		})
	}
	for n, a := range c.accounts {
		for range rapid.IntRange(0, 14).Draw(t, "lines") {
			name := rapid.SampledFrom([]string{
				"Landlord", "Cafe", "Customer 17", "Customer INV 18", "Studio 54", "Studio 9", "Forever 21",
			}).Draw(t, "name")
			minor := rapid.SampledFrom([]int64{-500_00, 500_00, -4_10, 7_00}).Draw(t, "amount")
			if c.mixed { // formats differ in the order of equal lines
				name = map[int64]string{
					-500_00: "Studio 54", 500_00: "Customer 17", -4_10: "Studio 9", 7_00: "Customer INV 18",
				}[minor]
			}
			a.lines = append(a.lines, bank.Line{Booked: drawDay(t), Minor: minor, Counterparty: name, Method: "NTRF"})
		}
		if n > 1 {
			continue
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "transfers") {
			other := c.accounts[1-n]
			sent := drawDay(t)
			amount := int64(10_000_00 + 2*i + n) // no two are equal
			arrives := sent.AddDays(rapid.IntRange(0, 3).Draw(t, "lag"))
			a.transfer(other, sent, -amount)
			other.transfer(a, arrives, amount)
		}
	}
	for n, a := range c.accounts {
		slices.SortStableFunc(a.lines, func(x, y bank.Line) int { return x.Booked.Compare(y.Booked) })
		for i := range a.lines {
			other := -1
			if a.lines[i].Counterparty == ownTransfer {
				other = 1 - n
			}
			a.other = append(a.other, other)
			a.lines[i].ID = fmt.Sprintf("B%d-%d", n, i)
		}
	}
	return c
}

// drawDay draws a day of the year. Many are in a few days, also around the ends of months.
func drawDay(t *rapid.T) civil.Date {
	near := yearFirst.AddDays(rapid.SampledFrom([]int{0, 27, 100, 213, 360}).Draw(t, "near"))
	return near.AddDays(rapid.IntRange(0, 4).Draw(t, "day"))
}

// transfer adds one side of a transfer to the account, unless it is after the year.
func (a *companyAccount) transfer(other *companyAccount, day civil.Date, minor int64) {
	if day.Compare(yearLast) <= 0 {
		a.lines = append(a.lines, bank.Line{
			Booked: day, Minor: minor, Counterparty: ownTransfer, Description: "account " + other.Number, Method: "NTRF",
		})
	}
}

// balance returns the booked balance at the end of a day.
func (a *companyAccount) balance(day civil.Date) int64 {
	sum := a.opening
	for _, l := range a.lines {
		if l.Booked.Compare(day) <= 0 {
			sum += l.Minor
		}
	}
	return sum
}

// file returns a file of an account's days. Lines of the three days after them are pending in
// formats that have such lines.
func (c *company) file(account int, first, last civil.Date, format string) *companyFile {
	a := c.accounts[account]
	s := bankfiles.Statement{Statement: bank.Statement{
		Account: a.Account, Currency: a.currency, First: first, Last: last,
		Opening: &bank.Balance{Date: first.AddDays(-1), Minor: a.balance(first.AddDays(-1))},
		Closing: &bank.Balance{Date: last, Minor: a.balance(last)},
	}}
	for _, l := range a.lines {
		if l.Booked.Compare(first) < 0 || l.Booked.Compare(last.AddDays(3)) > 0 {
			continue
		}
		l.Pending = l.Booked.Compare(last) > 0
		switch c.idMode {
		case "from one":
			l.ID = fmt.Sprint(len(s.Lines) + 1)
		case "none":
			l.ID = ""
		}
		s.Lines = append(s.Lines, l)
	}
	f := &companyFile{account: account, covered: [2]civil.Date{first, last}}
	booked := slices.DeleteFunc(slices.Clone(s.Lines), func(l bank.Line) bool { return l.Pending })
	if format == "csv" && len(booked) == 0 {
		format = "ofx" // a table without rows says nothing
	}
	if format == "csv" { // it covers the days of its lines alone
		f.covered = [2]civil.Date{booked[0].Booked, booked[len(booked)-1].Booked}
	}
	f.name = fmt.Sprintf("%d-%s-%s.%s", account, first, last, format)
	f.content = written(s, format)
	return f
}

func written(s bankfiles.Statement, format string) []byte {
	var b bytes.Buffer
	from := bankfiles.Institution{Name: "Harbor Pine Bank", Routing: "121000358"}
	err := map[string]func(io.Writer) error{
		"ofx":   func(w io.Writer) error { return bankfiles.OFX(w, from, s.Last, s) },
		"camt":  func(w io.Writer) error { return bankfiles.CAMT(w, s.Last, 1, s) },
		"mt940": func(w io.Writer) error { return bankfiles.MT940(w, s) },
		"csv":   func(w io.Writer) error { return bankfiles.AccountCSV(w, from, s) },
	}[format](&b)
	if err != nil {
		panic(err) // a buffer takes all writes
	}
	return b.Bytes()
}

// drawFiles splits the year of each account at days, with overlaps, into files.
func (c *company) drawFiles(t *rapid.T) (files []*companyFile) {
	formats := []string{"ofx"}
	if c.mixed {
		formats = []string{"ofx", "camt", "mt940", "csv"}
	}
	days := yearLast.DaysSince(yearFirst)
	for n := range c.accounts {
		cuts := rapid.SliceOfNDistinct(rapid.IntRange(1, days), 0, 3, rapid.ID[int]).Draw(t, "cuts")
		slices.Sort(cuts)
		first := 0
		for _, cut := range append(cuts, days+1) {
			from := max(0, first-rapid.SampledFrom([]int{0, 0, 1, 9}).Draw(t, "overlap"))
			to := min(days, cut-1+rapid.SampledFrom([]int{0, 0, 1, 9}).Draw(t, "overlap"))
			start, end := yearFirst.AddDays(from), yearFirst.AddDays(to)
			format := rapid.SampledFrom(formats).Draw(t, "format")
			if format == "csv" && c.accounts[n].endIsEither(start, end) {
				format = "ofx"
			}
			files = append(files, c.file(n, start, end, format))
			first = cut
		}
	}
	return append(files, ratesFile())
}

// endIsEither reports whether the running balances of a table with the lines of these days chain
// upwards and downwards, so that its first row may be the newest as well as its last.
func (a *companyAccount) endIsEither(first, last civil.Date) bool {
	var before *bank.Line
	lines := 0
	for i := range a.lines {
		l := &a.lines[i]
		if l.Booked.Compare(first) < 0 || l.Booked.Compare(last) > 0 {
			continue
		}
		if before != nil && (l.Booked != before.Booked || l.Minor != -before.Minor) {
			return false
		}
		before = l
		lines++
	}
	return lines > 1
}

func ratesFile() *companyFile {
	text := "date,currency,usd\n"
	for day := yearFirst; day.Compare(yearLast) <= 0; day = day.AddDays(9) { // some days have no rate of their week
		text += day.String() + ",EUR,1.1250\n"
	}
	return &companyFile{name: "rates.csv", content: []byte(text), account: -1}
}
