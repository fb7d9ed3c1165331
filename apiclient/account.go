package apiclient

import (
	"context"
	"encoding/json"
	"time"

	"tarmac/internal/termtext"
)

// Ping describes a token: the organization that owns it, what it may do and when it expires
// (docs/api.md, Ping).
type Ping struct {
	OrgID          string
	Scopes         []string   // nil if the server does not send them
	TokenExpiresAt *time.Time // in UTC; nil if the token does not expire or the server does not say
	// ReportingCurrency is the currency in which the organization's figures are.
	ReportingCurrency string
}

// Ping returns the owner, the scopes and the expiry of the client's token. The token needs no scope
// for it.
func (c *Client) Ping(ctx context.Context) (*Ping, error) {
	return fetch(ctx, c, read("/ping", nil), (*object).ping)
}

func (o *object) ping(f *fields) Ping {
	ping := Ping{
		OrgID:          o.text("org_id", "organization_id", "organization", "org"),
		TokenExpiresAt: o.timestamp("token_expires_at", "expires_at"),
	}
	var reporting json.RawMessage
	consume(o, &reporting, "reporting_currency")
	ping.ReportingCurrency = f.currency("reporting_currency", reporting)
	if ping.OrgID == "" {
		f.fail("org_id", "is missing")
	}
	if consume(o, &ping.Scopes, "scopes") {
		for i, scope := range ping.Scopes {
			ping.Scopes[i] = termtext.Line(scope)
		}
	}
	return ping
}

// AccountStatus says whether the organization has an account (docs/api.md, Account).
type AccountStatus string

// Values of AccountStatus.
const (
	AccountOpen    AccountStatus = "open"
	AccountNotOpen AccountStatus = "not_open"
)

// Known reports whether s is one of the values that the API defines.
func (s AccountStatus) Known() bool { return s == AccountOpen || s == AccountNotOpen }

// Account is the organization's account, which the provider manages (docs/api.md, Account).
type Account struct {
	Currency string // of the balance
	OrgID    string
	Status   AccountStatus
	Balance  *Balance   // nil if there is no account
	SyncedAt *time.Time // in UTC; when the provider last reported the balance
}

// Balance holds the parts of the account's balance, in minor units of Account.Currency.
type Balance struct {
	AvailableCents int64 // can be spent now
	HoldingCents   int64 // held by the provider
	LockedCents    int64 // locked against obligations
	PendingCents   int64 // pending clearing
}

// Account returns the account with its current balance (docs/api.md, Live balance). It returns
// ErrUnavailable if the server cannot read the balance.
func (c *Client) Account(ctx context.Context) (*Account, error) {
	return fetch(ctx, c, read("/account", nil), (*accountJSON).account)
}

type accountJSON struct {
	OrgID   *string `json:"org_id"`
	Status  *string `json:"status"`
	Balance *struct {
		Available *int64 `json:"available_cents"`
		Holding   *int64 `json:"holding_cents"`
		Locked    *int64 `json:"locked_cents"`
		Pending   *int64 `json:"pending_cents"`
	} `json:"balance"`
	SyncedAt *string         `json:"synced_at"`
	Currency json.RawMessage `json:"currency"`
}

func (a *accountJSON) account(f *fields) Account {
	account := Account{
		Currency: f.currency("currency", a.Currency),
		OrgID:    f.text("org_id", a.OrgID),
		Status:   AccountStatus(f.text("status", a.Status)),
		SyncedAt: f.optionalTime("synced_at", a.SyncedAt),
	}
	switch b := a.Balance; {
	case b != nil:
		account.Balance = &Balance{
			AvailableCents: required(f, "balance.available_cents", b.Available),
			HoldingCents:   required(f, "balance.holding_cents", b.Holding),
			LockedCents:    required(f, "balance.locked_cents", b.Locked),
			PendingCents:   required(f, "balance.pending_cents", b.Pending),
		}
	case account.Status == AccountOpen:
		f.fail("balance", "is missing though the account is open")
	}
	return account
}

// CashPosition holds cash, net burn and runway, in minor units of Currency (docs/api.md, Cash
// position).
type CashPosition struct {
	Currency         string
	OrgID            string
	Status           AccountStatus
	AsOf             time.Time // UTC
	CashCents        int64     // cash on hand
	MonthlyBurnCents int64     // estimated net burn per month; 0 if IsBurning is false
	IsBurning        bool
	Sufficient       bool    // there is a cash balance, and enough history to estimate the burn
	RunwayCashCents  *int64  // spendable cash from which the runway is computed; nil if unknown
	RunwayMonths     *Months // nil unless IsBurning and Sufficient are true
	RunwayNote       string  // the runway in a sentence, or why there is none
	// Extension has more facts. It is nil if the server does not say them, and then they are
	// unknown.
	Extension *Extension
}

// CashPosition returns the organization's cash, net burn and runway.
func (c *Client) CashPosition(ctx context.Context) (*CashPosition, error) {
	return fetch(ctx, c, read("/insights/cash-position", nil), (*cashPositionJSON).position)
}

type cashPositionJSON struct {
	OrgID        *string         `json:"org_id"`
	Status       *string         `json:"status"`
	AsOf         *string         `json:"as_of"`
	Cash         *int64          `json:"cash_cents"`
	Burn         *int64          `json:"monthly_burn_cents"`
	IsBurning    *bool           `json:"is_burning"`
	Sufficient   *bool           `json:"sufficient"`
	RunwayCash   *int64          `json:"runway_cash_cents"`
	RunwayMonths *json.Number    `json:"runway_months"`
	RunwayNote   *string         `json:"runway_note"`
	Currency     json.RawMessage `json:"currency"`
	Extension    json.RawMessage `json:"extension"`
}

func (p *cashPositionJSON) position(f *fields) CashPosition {
	position := CashPosition{
		Currency:         f.currency("currency", p.Currency),
		OrgID:            f.text("org_id", p.OrgID),
		Status:           AccountStatus(f.text("status", p.Status)),
		AsOf:             f.time("as_of", p.AsOf),
		CashCents:        required(f, "cash_cents", p.Cash),
		MonthlyBurnCents: f.magnitude("monthly_burn_cents", p.Burn),
		IsBurning:        required(f, "is_burning", p.IsBurning),
		Sufficient:       required(f, "sufficient", p.Sufficient),
		RunwayCashCents:  p.RunwayCash,
		RunwayNote:       optionalText(p.RunwayNote),
		Extension:        f.extension(p.Extension),
	}
	// Without net burn, or without enough history, there is no runway, even if the server sends
	// one.
	if p.RunwayMonths != nil && position.IsBurning && position.Sufficient {
		months, err := parseMonths(p.RunwayMonths.String())
		if err != nil {
			f.fail("runway_months", err.Error())
		}
		position.RunwayMonths = &months
	}
	return position
}
