package service_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

// bankFile is an OFX file of one account.
type bankFile struct {
	account, currency string // currency "" for US dollars
	card              bool
	first, last       string   // covered days
	lines             []string // DAY AMOUNT NAME; "pending" before lines that are not booked
	balance           string   // at the end of the last day; "" if the file has none
}

func (b bankFile) source() bookkeeping.Source {
	from, to, kind := "<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>%s<BANKACCTFROM><BANKID>1<ACCTID>%s"+
		"<ACCTTYPE>CHECKING</BANKACCTFROM>", "</STMTRS></STMTTRNRS></BANKMSGSRSV1>", "bank"
	if b.card {
		from, to, kind = "<CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>%s<CCACCTFROM><ACCTID>%s</CCACCTFROM>",
			"</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>", "card"
	}
	currency := b.currency
	if currency == "" {
		currency = "USD"
	}
	compact := func(day string) string { return strings.ReplaceAll(day, "-", "") }
	var text, pending strings.Builder
	fmt.Fprintf(&text, "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX>"+from+"<BANKTRANLIST><DTSTART>%s<DTEND>%s",
		currency, b.account, compact(b.first), compact(b.last))
	for n, line := range b.lines {
		rest, waits := strings.CutPrefix(line, "pending ")
		parts := strings.SplitN(rest, " ", 3)
		if waits {
			fmt.Fprintf(&pending, "<STMTTRNP><TRNTYPE>OTHER<DTTRAN>%s<TRNAMT>%s<NAME>%s</STMTTRNP>", compact(parts[0]),
				parts[1], parts[2])
			continue
		}
		fmt.Fprintf(&text, "<STMTTRN><TRNTYPE>OTHER<DTPOSTED>%s<TRNAMT>%s<FITID>%d<NAME>%s</STMTTRN>", compact(parts[0]),
			parts[1], n, parts[2])
	}
	text.WriteString("</BANKTRANLIST>")
	if b.balance != "" {
		fmt.Fprintf(&text, "<LEDGERBAL><BALAMT>%s<DTASOF>%s</LEDGERBAL>", b.balance, compact(b.last))
	}
	if pending.Len() > 0 {
		fmt.Fprintf(&text, "<BANKTRANLISTP><DTASOF>%s%s</BANKTRANLISTP>", compact(b.last), pending.String())
	}
	return textFile(kind+b.account+".ofx", text.String()+to+"</OFX>\n")
}

func textFile(name, text string) bookkeeping.Source {
	return bookkeeping.Source{Name: name, Content: strings.NewReader(text)}
}

// monthly returns a line on the 15th day of each month from first to last, of 2026.
func monthly(first, last int, amount, name string) (lines []string) {
	for month := first; month <= last; month++ {
		lines = append(lines, fmt.Sprintf("2026-%02d-15 %s %s", month, amount, name))
	}
	return lines
}

// importFiles imports files into the organization's own books and returns the problems that the
// report names.
func (f *fixture) importFiles(a tenant, sources ...bookkeeping.Source) (problems []string) {
	f.t.Helper()
	b, err := f.service.Books(f.t.Context(), a.id)
	if err != nil {
		f.t.Fatal(err)
	}
	report, err := b.Import(f.t.Context(), sources, bookkeeping.Options{})
	if err != nil || report.Import == "" {
		f.t.Fatalf("the import failed: %+v, %v", report, err)
	}
	for _, file := range report.Files {
		problems = append(problems, file.Problems...)
	}
	return problems
}

// ownCash holds the figures about cash that the API returns.
type ownCash struct {
	Status  string `json:"status"`
	Balance struct {
		Available int64 `json:"available_cents"`
		Holding   int64 `json:"holding_cents"`
		Locked    int64 `json:"locked_cents"`
		Pending   int64 `json:"pending_cents"`
	} `json:"balance"`
	SyncedAt string `json:"synced_at"`

	Cash        int64    `json:"cash_cents"`
	Burn        int64    `json:"monthly_burn_cents"`
	Sufficient  bool     `json:"sufficient"`
	RunwayCash  *int64   `json:"runway_cash_cents"`
	RunwayNote  string   `json:"runway_note"`
	RunwayMonth *float64 `json:"runway_months"`
}

// ownCash reads the account and the cash position.
func (f *fixture) ownCash(a tenant) (c ownCash) {
	f.t.Helper()
	for _, path := range []string{"/account", "/insights/cash-position"} {
		got := f.get(a.secret, prefix+path)
		if got.status != http.StatusOK {
			f.t.Fatalf("%s: %d %s", path, got.status, got.body)
		}
		if err := json.Unmarshal(got.body, &c); err != nil {
			f.t.Fatal(err)
		}
	}
	return c
}

var year = bankFile{account: "00123456789", first: "2026-01-01", last: "2026-11-20", balance: "10000.00",
	lines: monthly(1, 11, "-1000.00", "Landlord")}

func TestOwnBooksAreOneAccountOfAllThatIsImported(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", "account:read")
	euros := bankFile{account: "DE0031", currency: "EUR", first: "2026-01-01", last: "2026-11-19", balance: "500.00"}
	card := bankFile{account: "9016", card: true, first: "2026-01-01", last: "2026-11-18", balance: "-300.00",
		lines: []string{"2026-11-02 -300.00 Hotel", "pending 2026-11-18 -12.50 Coffee"}}
	rates := textFile("rates.csv", "date,currency,usd\n2026-11-19,EUR,1.05\n2026-11-20,EUR,1.10\n2026-11-21,EUR,9.99\n")

	f.importFiles(a, year.source(), euros.source(), card.source(), rates)

	got := f.ownCash(a)
	// The cash is 10,000.00 dollars, plus 500 euros at the rate of the newest day of all
	// statements, less the 300.00 dollars of debt on the card.
	if b := got.Balance; got.Status != "open" || b.Available != 1025000 || b.Pending != -1250 || b.Holding != 0 ||
		b.Locked != 0 || got.Cash != 1025000 {
		t.Errorf("cash is %+v", got)
	}
	if got.SyncedAt != "2026-11-18T23:59:59Z" {
		t.Errorf("synced at %s, not at the end of the oldest statement", got.SyncedAt)
	}
	if !strings.Contains(got.RunwayNote, "EUR is converted at the rate of 2026-11-20.") {
		t.Errorf("the note is %q", got.RunwayNote)
	}
}

func TestAnAccountWithoutAnExchangeRateIsNamed(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", "account:read")
	zloty := bankFile{account: "PL006666", currency: "PLN", first: "2026-01-01", last: "2026-11-20", balance: "500.00"}

	problems := strings.Join(f.importFiles(a, year.source(), zloty.source()), "; ")

	if !strings.Contains(problems, "…6666: there is no exchange rate for PLN up to 2026-11-20") {
		t.Errorf("the import says %q", problems)
	}
	got := f.ownCash(a)
	if got.Balance.Available != 1000000 ||
		!strings.Contains(got.RunwayNote, "Cash is incomplete: there is no exchange rate for …6666 in PLN.") {
		t.Errorf("cash is %+v", got)
	}
}

func TestAnUnknownBalanceIsUnavailableWithTheReason(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", "account:read")
	unknown := bankFile{account: "00777788", first: "2026-01-01", last: "2026-11-20"}

	f.importFiles(a, year.source(), unknown.source())

	for path, facts := range map[string]string{
		"/account":                "",
		"/insights/cash-position": " [left out: gaps=2024-10-01..2025-12-31 covered=2026-11-20]",
	} {
		got := f.get(a.secret, prefix+path)
		want := `{"error":"the balance of …7788 is not known: import a statement that has one, or state it with ` +
			`books balance ACCOUNT 12,340.50 2026-09-30` + facts + `"}`
		if got.status != http.StatusServiceUnavailable || strings.TrimSpace(string(got.body)) != want ||
			got.header.Get("Retry-After") != "30" {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

func TestTheBurnOfOwnBooksIsThatOfTheMonthsThatAllAccountsCover(t *testing.T) {
	card := func(last string) bankFile {
		return bankFile{account: "9016", card: true, first: "2026-01-01", last: last, balance: "0"}
	}
	short := year
	short.first, short.lines = "2026-08-05", monthly(9, 11, "-1000.00", "Landlord")
	earning := year
	earning.lines = monthly(1, 11, "250.00", "Customer")
	for name, c := range map[string]struct {
		files      []bankFile
		burn       int64
		sufficient bool
		note       string
		gaps       string // uncovered days and the last covered one, as the note has them
	}{
		"three months": {[]bankFile{year}, 100000, true,
			"About 10.0 months at the average net burn of the 3 full months 2026-08 to 2026-10.",
			"gaps=2024-10-01..2025-12-31 covered=2026-11-20"},
		"two months": {[]bankFile{short}, 100000, true,
			"About 10.0 months at the average net burn of the 2 full months 2026-09 to 2026-10. " +
				"No statement of …6789 covers 2026-08-01 to 2026-08-04. A download of the last 112 days would do.",
			"gaps=2024-10-01..2026-08-04 covered=2026-11-20"},
		"a card is late": {[]bankFile{year, card("2026-10-15")}, 100000, true,
			"About 10.0 months at the average net burn of the 3 full months 2026-07 to 2026-09. " +
				"No statement of 9016 covers 2026-10-16 to 2026-10-31. A download of the last 36 days would do.",
			"gaps=2024-10-01..2025-12-31 covered=2026-10-15"},
		"a card is too late": {[]bankFile{year, card("2026-09-15")}, 100000, false,
			"No estimate: the newest full months that all accounts cover, 2026-06 to 2026-08, are too old. " +
				"No statement of 9016 covers 2026-09-16 to 2026-10-31. A download of the last 66 days would do. " +
				"9016 seems forgotten: its statements end on 2026-09-15. " +
				"Import newer ones, or say with `tarmac books role` that an account is closed.",
			"gaps=2024-10-01..2025-12-31,2026-09-16..2026-11-20 covered=2026-11-20 forgotten=1"},
		"not burning": {[]bankFile{earning}, 0, true,
			"Not burning: cash flow was positive over the 3 full months 2026-08 to 2026-10.",
			"gaps=2024-10-01..2025-12-31 covered=2026-11-20"},
		"one month": {[]bankFile{{account: "00123456789", first: "2026-10-01", last: "2026-11-20", balance: "5"}}, 0, false,
			"Not enough history: the statements of all accounts cover no two consecutive full months. " +
				"No statement of …6789 covers 2026-08-01 to 2026-09-30. A download of the last 112 days would do.",
			"gaps=2024-10-01..2026-09-30 covered=2026-11-20"},
	} {
		t.Run(name, func(t *testing.T) {
			f := start(t, 0)
			a := f.tenant("a", "account:read")
			var sources []bookkeeping.Source
			for _, file := range c.files {
				sources = append(sources, file.source())
			}

			f.importFiles(a, sources...)

			got, note := f.ownCash(a), c.note+" [left out: "+c.gaps+"]"
			if got.Burn != c.burn || got.Sufficient != c.sufficient || got.RunwayNote != note ||
				(got.RunwayMonth != nil) != (c.sufficient && c.burn > 0) {
				t.Errorf("%+v\nnot %q", got, note)
			}
		})
	}
}

func TestMoneyInTransitBetweenOwnAccountsIsHeld(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", "account:read")
	sending := year
	sending.lines = append(monthly(1, 10, "-1000.00", "Landlord"), "2026-11-20 -2500.00 TRANSFER TO 00777788")
	behind := bankFile{account: "00777788", first: "2026-01-01", last: "2026-11-18", balance: "4000.00"}

	f.importFiles(a, sending.source(), behind.source())

	got := f.ownCash(a)
	if b := got.Balance; b.Available != 1400000 || b.Holding != 250000 || got.Cash != 1650000 ||
		got.RunwayCash == nil || *got.RunwayCash != 1400000 {
		t.Errorf("cash is %+v", got)
	}
}

func TestTheAgingOfOwnBooksHasTheImportedInvoices(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	aging := func() (got struct{ Imported *json.RawMessage }) {
		if err := json.Unmarshal(f.send(a.secret, http.MethodGet, prefix+"/receivables/aging", "", "Prefer",
			"imported-invoices").body, &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := aging(); got.Imported != nil {
		t.Errorf("without own books: %s", *got.Imported)
	}

	f.importFiles(a, bankFile{account: "990011223", first: "2026-08-01", last: "2026-10-31",
		lines: []string{"2026-10-05 5.00 Acme 7"}}.source())
	if got := aging(); got.Imported == nil || string(*got.Imported) != `{"lists":[],"invoices":[]}` {
		t.Errorf("without a list: %v", got)
	}
	if body := string(f.get(a.secret, prefix+"/receivables/aging").body); strings.Contains(body, "imported") {
		t.Errorf("who does not ask gets %s", body)
	}

	list := textFile("open.csv", "number,customer,issued,due,currency,amount due\n"+
		"7,Acme,2026-09-01,2026-10-01,USD,5.00\n8,Borea,2026-09-02,,KWD,1.250\n")
	list.Options = bank.Options{AsOf: civil.MustParse("2026-09-30")}
	f.importFiles(a, list)
	want := `{"lists":[{"source":"","as_of":"2026-09-30"}],"invoices":[` +
		`{"number":"8","customer_name":"Borea","currency":"KWD","open_minor":1250,"usd_cents":null,` +
		`"issued_on":"2026-09-02","due_on":null,"paid_on":null},` +
		`{"number":"7","customer_name":"Acme","currency":"USD","open_minor":0,"usd_cents":null,` +
		`"issued_on":"2026-09-01","due_on":"2026-10-01","paid_on":"2026-10-05"}]}`
	if got := aging(); got.Imported == nil || string(*got.Imported) != want {
		t.Errorf("imported is %s", *got.Imported)
	}
}
