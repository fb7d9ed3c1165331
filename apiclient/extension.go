package apiclient

import (
	"encoding/json"
	"fmt"
	"strings"

	"tarmac/internal/readings"
	"tarmac/internal/termtext"
)

// extension is the preference for what the API has no field for (docs/api.md, Facts). Servers that
// do not know it ignore it.
const extension = "tarmac-extension"

// maxFacts is the maximum number of elements in each list of an extension.
const maxFacts = 1000

// Extension holds the facts of a cash position that the API has no field for (docs/api.md, Facts).
type Extension struct {
	BooksRevision     string      `json:"books_revision"`
	ReportingCurrency string      `json:"reporting_currency"`
	NoEstimate        *NoEstimate `json:"no_estimate"` // nil if burn and runway are estimated
	Window            *BurnWindow `json:"burn_window"` // nil if there are no months to average
	Unanswered        Unanswered  `json:"-"`           // the zero value without questions
	Coverage          *Coverage   `json:"coverage"`    // nil without own books

	Sent json.RawMessage `json:"-"` // as the server sent it, with members that this version doesn't know
}

// Unanswered says what unanswered questions leave out, and what burn is after other answers.
type Unanswered = readings.Unanswered

// NoEstimate says why burn and runway are not estimated. Its figures depend on the code; those that
// a code does not have are 0. Other codes than those of the constants may be added.
type NoEstimate struct {
	Code string `json:"code"`
	Data struct {
		FullMonths   int   `json:"full_months"`
		NeededMonths int   `json:"needed_months"`
		Transactions int64 `json:"transactions"`
		Unconverted  int64 `json:"unconverted_count"`
	} `json:"data"`
}

// Codes of NoEstimate.
const (
	NoEstimateNotOpen       = "account_not_open"
	NoEstimateShortHistory  = "short_history"           // FullMonths of NeededMonths
	NoEstimateNoBalance     = "no_balance_with_history" // no account has NeededMonths and a balance
	NoEstimateCommonMonths  = "no_common_months"        // no NeededMonths that all accounts cover
	NoEstimateWindowTooOld  = "window_too_old"
	NoEstimateUnratedWindow = "unrated_transactions" // Unconverted of Transactions have no rate
)

// BurnWindow holds the months over which net burn is averaged, such as "2026-08" to "2026-10".
type BurnWindow struct {
	FirstMonth string `json:"first_month"`
	LastMonth  string `json:"last_month"`
	Months     int    `json:"months"`
	Moved      *Moved `json:"moved"` // why it isn't the last three full months; nil if it is
}

// Moved says which statements are missing for a newer burn window.
type Moved struct {
	Code string `json:"code"`
	Data struct {
		Accounts []AccountGaps `json:"accounts"`
	} `json:"data"`
}

// AccountGaps holds days that the statements of an account do not cover.
type AccountGaps struct {
	Account string `json:"account"`
	Gaps    []Days `json:"gaps"`
}

// Coverage says which days the statements of own books cover.
type Coverage struct {
	KnownTo  Date              `json:"known_to"` // zero if there is no day that all accounts cover
	Begins   Date              `json:"begins"`   // day on which the first account was opened; zero if unknown
	Gaps     []Days            `json:"gaps"`     // days that an account does not cover, oldest first
	Accounts []AccountCoverage `json:"accounts"`
}

// AccountCoverage says what is known of an account of own books.
type AccountCoverage struct {
	Account      string          `json:"account"` // such as "N26 …1111"
	Currency     string          `json:"currency"`
	Role         string          `json:"role"`
	State        string          `json:"state"`
	ProvenTo     *KnownTo        `json:"proven_to"`
	AssumedTo    *KnownTo        `json:"assumed_to"` // a later day, from weaker evidence
	Gaps         []Days          `json:"gaps"`
	Balance      *AccountBalance `json:"balance"`
	CountedCents *int64          `json:"counted_cents"` // in the currency of the position
	Unrated      bool            `json:"unrated"`       // without an exchange rate, so not in the cash
}

// States of an account. Others may be added.
const (
	AccountCurrent   = "current"
	AccountForgotten = "forgotten" // its statements end long before those of the others
	AccountClosed    = "closed"
)

// KnownTo is the last day up to which an account is known, and what says so, such as "statement".
type KnownTo struct {
	Day    Date   `json:"day"`
	Source string `json:"source"`
}

// Sources of KnownTo by which an account is assumed to be unchanged. There are others.
const (
	AssumedQuiet   = "quiet"
	AssumedBalance = "balance"
)

// AccountBalance is a booked balance in the account's currency at the end of a day.
type AccountBalance struct {
	BookedMinor int64 `json:"minor"`
	Day         Date  `json:"day"`
}

// Days is a range of days that includes both.
type Days struct {
	First Date `json:"first"`
	Last  Date `json:"last"`
}

// readingsJSON has the readings as the server sends them.
type readingsJSON struct {
	Questions int         `json:"questions"`
	Inflow    int64       `json:"inflow_cents"`
	Outflow   int64       `json:"outflow_cents"`
	Transfers int         `json:"transfers"`
	Low       readingJSON `json:"low"`
	High      readingJSON `json:"high"`
}

type readingJSON struct {
	Burn   int64       `json:"monthly_burn_cents"`
	Runway json.Number `json:"runway_months"`
}

// extension decodes the extension of a response. It returns nil if the server has not applied the
// preference: whatever the body has then means something else.
func (f *fields) extension(sent json.RawMessage) *Extension {
	if !f.call.extended {
		return nil
	}
	x, err := decodeExtension(sent)
	if err != nil {
		f.fail("extension", err.Error())
	}
	return x
}

func decodeExtension(sent json.RawMessage) (*Extension, error) {
	x := &Extension{Sent: sent}
	var more struct {
		Readings *readingsJSON `json:"readings"`
	}
	if json.Unmarshal(sent, x) != nil || json.Unmarshal(sent, &more) != nil {
		return nil, fmt.Errorf("cannot be read")
	}
	if r := more.Readings; r != nil && r.Questions > 0 {
		low, err := r.Low.reading()
		if err != nil {
			return nil, err
		}
		high, err := r.High.reading()
		if err != nil {
			return nil, err
		}
		if min(r.Inflow, r.Outflow, int64(r.Transfers), low.BurnMinor, high.BurnMinor) < 0 {
			return nil, fmt.Errorf("has a negative amount")
		}
		x.Unanswered = Unanswered{
			Questions: r.Questions, InMinor: r.Inflow, OutMinor: r.Outflow, Transfers: r.Transfers, Low: low, High: high,
		}
	}
	return x, x.clean()
}

func (r readingJSON) reading() (of readings.Reading, err error) {
	of.BurnMinor = r.Burn
	if r.Runway == "" {
		return of, nil
	}
	months, err := parseMonths(r.Runway.String())
	of.Tenths = months.Tenths()
	return of, err
}

// clean makes texts safe to print and checks ranges of days and the length of lists.
func (x *Extension) clean() error {
	texts := []*string{&x.BooksRevision, &x.ReportingCurrency}
	var gaps [][]Days
	if x.NoEstimate != nil {
		texts = append(texts, &x.NoEstimate.Code)
	}
	if w := x.Window; w != nil {
		texts = append(texts, &w.FirstMonth, &w.LastMonth)
		if w.Moved != nil {
			texts = append(texts, &w.Moved.Code)
			for i := range w.Moved.Data.Accounts {
				texts, gaps = append(texts, &w.Moved.Data.Accounts[i].Account), append(gaps, w.Moved.Data.Accounts[i].Gaps)
			}
		}
	}
	if c := x.Coverage; c != nil {
		if gaps = append(gaps, c.Gaps); len(c.Accounts) > maxFacts {
			return errTooMany
		}
		for i := range c.Accounts {
			a := &c.Accounts[i]
			texts, gaps = append(texts, &a.Account, &a.Currency, &a.Role, &a.State), append(gaps, a.Gaps)
			for _, known := range [...]*KnownTo{a.ProvenTo, a.AssumedTo} {
				if known != nil {
					texts = append(texts, &known.Source)
				}
			}
		}
	}
	for _, text := range texts {
		*text = strings.TrimSpace(termtext.Line(*text))
	}
	for _, some := range gaps {
		if len(some) > maxFacts {
			return errTooMany
		}
		for _, days := range some {
			if days.First.IsZero() || days.Last.Before(days.First) {
				return fmt.Errorf("has days that end before they begin")
			}
		}
	}
	return nil
}

var errTooMany = fmt.Errorf("has too many elements")
