package httpapi

import (
	"slices"
	"strconv"

	"tarmac/internal/civil"
	"tarmac/internal/readings"
	"tarmac/service/bookrules"
	"tarmac/service/cash"
	"tarmac/service/cutoff"
)

// extensionPreference is the preference with which a client asks for what the specification has no
// field for (RFC 7240; docs/api.md, Extension).
const extensionPreference = "tarmac-extension"

// extended reports whether the client asks for the extension.
func (c *call) extended() bool { return prefers(c.r.Header.Values("Prefer"), extensionPreference) }

// withExtension returns a handler whose successful responses say that they have the extension, if
// the client asks for it.
func withExtension(handle func(*call) (any, error)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		response, err := handle(c)
		if err != nil || !c.extended() {
			return response, err
		}
		return withPreference(response, extensionPreference), nil
	}
}

// cashExtension is the extension of a cash position, and of the error in place of one.
type cashExtension struct {
	BooksRevision     string      `json:"books_revision"`
	ReportingCurrency string      `json:"reporting_currency"`
	NoEstimate        *reason     `json:"no_estimate"`
	Window            *burnWindow `json:"burn_window"`
	Readings          *questions  `json:"readings"`
	Coverage          *coverage   `json:"coverage"`
}

// reason is a fact with its figures. Codes and data may be added.
type reason struct {
	Code string `json:"code"`
	Data any    `json:"data"`
}

// burnWindow holds the months over which net burn is averaged.
type burnWindow struct {
	FirstMonth string  `json:"first_month"`
	LastMonth  string  `json:"last_month"`
	Months     int64   `json:"months"`
	Moved      *reason `json:"moved"`
}

// questions says what unanswered questions leave out, and what burn is after other answers.
type questions struct {
	Questions    int     `json:"questions"`
	InflowCents  int64   `json:"inflow_cents"`
	OutflowCents int64   `json:"outflow_cents"`
	Transfers    int     `json:"transfers"`
	Low          reading `json:"low"`
	High         reading `json:"high"`
}

type reading struct {
	BurnCents    int64   `json:"monthly_burn_cents"`
	RunwayMonths *tenths `json:"runway_months"`
}

// coverage says which days the statements of own books cover.
type coverage struct {
	KnownTo  *string           `json:"known_to"`
	Begins   *string           `json:"begins"`
	Gaps     []days            `json:"gaps"`
	Accounts []accountCoverage `json:"accounts"`
}

type accountCoverage struct {
	Account  string `json:"account"`
	Currency string `json:"currency"`
	Role     string `json:"role"`
	State    string `json:"state"`
	ProvenTo *known `json:"proven_to"`
	Assumed  *known `json:"assumed_to"`
	Gaps     []days `json:"gaps"`
	Balance  *minor `json:"balance"`
	Cents    *int64 `json:"counted_cents"`
	Unrated  bool   `json:"unrated"`
}

// days is a range of days that includes both.
type days struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

// known is a day up to which an account is known, and what says so.
type known struct {
	Day    string `json:"day"`
	Source string `json:"source"`
}

// minor is a balance in the account's currency at the end of a day.
type minor struct {
	Minor int64  `json:"minor"`
	Day   string `json:"day"`
}

// knownOf returns a last known day; nil if there is none.
func knownOf(k cutoff.Known) *known {
	if k.Day == 0 {
		return nil
	}
	return &known{k.Day.Date().String(), string(k.Source)}
}

// booksFacts is what the extension says of own books besides a position.
type booksFacts struct {
	window cutoff.BurnWindow
	known  cutoff.Books
	shares []bookrules.CashShare // nil if the cash isn't known
}

// cashExtensionOf returns the extension of a position. facts is nil without own books.
func (c *call) cashExtensionOf(p cash.Position, facts *booksFacts) *cashExtension {
	x := &cashExtension{
		BooksRevision: strconv.FormatInt(c.credential.BooksRevision, 10), ReportingCurrency: c.credential.Reporting,
		NoEstimate: reasonOf(p.NoEstimate), Readings: questionsOf(p.Note.Facts.Unanswered),
	}
	switch {
	case facts != nil:
		x.Window, x.Coverage = windowOf(&facts.window), coverageOf(facts)
	case p.NoEstimate == nil || p.NoEstimate.Code != cash.NotOpen:
		first, last := cash.Window(civil.Of(c.now))
		x.Window = &burnWindow{FirstMonth: yearMonth(first), LastMonth: yearMonth(last), Months: cash.WindowMonths}
	}
	return x
}

func reasonOf(r *cash.Reason) *reason {
	if r == nil {
		return nil
	}
	data := map[string]int64{}
	for name, n := range map[string]int64{
		"full_months": int64(r.FullMonths), "needed_months": int64(r.NeededMonths), "transactions": r.Transactions,
		"unconverted_count": r.Unconverted,
	} {
		if n != 0 {
			data[name] = n
		}
	}
	return &reason{r.Code, data}
}

func windowOf(w *cutoff.BurnWindow) *burnWindow {
	if w.Months == 0 {
		return nil
	}
	window := &burnWindow{FirstMonth: yearMonth(w.First), LastMonth: yearMonth(w.Last), Months: int64(w.Months)}
	if len(w.Moved) > 0 {
		type account struct {
			Account string `json:"account"`
			Gaps    []days `json:"gaps"`
		}
		var accounts []account
		for _, m := range w.Moved {
			accounts = append(accounts, account{m.Account, daysOf(m.Days)})
		}
		window.Moved = &reason{"statements_missing", map[string]any{"accounts": accounts}}
	}
	return window
}

func questionsOf(u readings.Unanswered) *questions {
	if u.Questions == 0 {
		return nil
	}
	return &questions{
		Questions: u.Questions, InflowCents: u.InMinor, OutflowCents: u.OutMinor, Transfers: u.Transfers,
		Low: readingOf(u.Low), High: readingOf(u.High),
	}
}

func readingOf(r readings.Reading) reading {
	if r.Tenths == 0 {
		return reading{BurnCents: r.BurnMinor}
	}
	return reading{r.BurnMinor, new(tenths(r.Tenths))}
}

func coverageOf(facts *booksFacts) *coverage {
	c := &coverage{
		KnownTo: dayOrNull(facts.known.To.Date()), Begins: dayOrNull(facts.known.Begins.Date()),
		Gaps:     daysOf(facts.known.Uncovered),
		Accounts: make([]accountCoverage, len(facts.known.Accounts)),
	}
	for n := range facts.known.Accounts {
		c.Accounts[n] = accountCoverageOf(&facts.known.Accounts[n], facts.shares)
	}
	return c
}

func accountCoverageOf(a *cutoff.CutOff, shares []bookrules.CashShare) accountCoverage {
	out := accountCoverage{
		Account: a.Label(), Currency: a.Currency, Role: string(a.Role), State: string(a.State), Gaps: daysOf(a.Uncovered),
		ProvenTo: knownOf(a.ProvenTo), Assumed: knownOf(a.AssumedTo),
	}
	at := slices.IndexFunc(shares, func(s bookrules.CashShare) bool {
		return s.Identity == a.Identity && s.Currency == a.Currency
	})
	if at < 0 {
		return out
	}
	share := shares[at]
	if out.Unrated = share.Unrated; !share.Unrated {
		out.Cents = &share.AvailableCents
	}
	if b := share.Balance; b != nil {
		out.Balance = &minor{b.Minor, b.Day.Date().String()}
	}
	return out
}

func daysOf(spans []bookrules.Span) []days {
	all := make([]days, len(spans))
	for n, s := range spans {
		all[n] = days{s.First.Date().String(), s.Last.Date().String()}
	}
	return all
}

func yearMonth(day civil.Date) string { return day.String()[:len("2026-08")] }
