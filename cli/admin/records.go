package admin

import (
	"time"

	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/events"
	"tarmac/service/invoicing"
	"tarmac/service/payments"
	"tarmac/service/store"
)

// The types of this file are the records of the JSON output. They have the API's fields under the
// same names, followed by fields that only the operator sees. Missing values are null.

type orgRecord struct {
	ID                string    `json:"id"`
	Name              string    `json:"name"`
	OwnerName         *string   `json:"owner_name"`
	OwnerEmail        *string   `json:"owner_email"`
	RequestsPerMinute *int      `json:"requests_per_minute"` // null without a limit of its own
	CreatedAt         time.Time `json:"created_at"`
	MaxDrafts         int       `json:"max_drafts"`
	MaxDraftBytes     int64     `json:"max_draft_bytes"`
	Drafts            *int      `json:"drafts"` // null except in `org show`
	DraftBytes        *int64    `json:"draft_bytes"`
}

func orgOf(o store.Organization) orgRecord {
	r := orgRecord{ID: o.PublicID, Name: o.Name, OwnerName: nullable(o.OwnerName), OwnerEmail: nullable(o.OwnerEmail),
		CreatedAt: o.CreatedAt, MaxDrafts: o.DraftLimit().Drafts, MaxDraftBytes: o.DraftLimit().Bytes}
	if o.RequestsPerMinute > 0 {
		r.RequestsPerMinute = &o.RequestsPerMinute
	}
	return r
}

// erasedRecord says what `org erase` has deleted.
type erasedRecord struct {
	ID   string `json:"id"`
	Rows int64  `json:"deleted_rows"`
}

type tokenRecord struct {
	ID         string         `json:"id"`
	OrgID      string         `json:"org_id"`
	LastFour   string         `json:"last_four"`
	State      string         `json:"state"`
	Scopes     []access.Scope `json:"scopes"`
	CreatedAt  time.Time      `json:"created_at"`
	ExpiresAt  *time.Time     `json:"expires_at"`
	RevokedAt  *time.Time     `json:"revoked_at"`
	LastUsedAt *time.Time     `json:"last_used_at"`
}

func tokenOf(t access.Token, now time.Time) tokenRecord {
	return tokenRecord{
		ID: t.PublicID, OrgID: t.OrgPublicID, LastFour: t.LastFour, State: tokenState(t, now), Scopes: t.Scopes,
		CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt, RevokedAt: t.RevokedAt, LastUsedAt: t.LastUsedAt,
	}
}

// newTokenRecord is a new token with its secret, which is shown only once.
type newTokenRecord struct {
	ID        string         `json:"id"`
	Token     string         `json:"token"`
	OrgID     string         `json:"org_id"`
	Scopes    []access.Scope `json:"scopes"`
	ExpiresAt *time.Time     `json:"expires_at"`
}

type sshKeyRecord struct {
	ID          string         `json:"id"`
	OrgID       string         `json:"org_id"`
	Name        string         `json:"name"`
	User        *string        `json:"user"`
	Algorithm   string         `json:"algorithm"`
	Fingerprint string         `json:"fingerprint"`
	State       string         `json:"state"`
	Scopes      []access.Scope `json:"scopes"`
	CreatedAt   time.Time      `json:"created_at"`
	ExpiresAt   *time.Time     `json:"expires_at"`
	RevokedAt   *time.Time     `json:"revoked_at"`
	LastUsedAt  *time.Time     `json:"last_used_at"`
}

func sshKeyOf(k access.SSHKey, now time.Time) sshKeyRecord {
	return sshKeyRecord{
		ID: k.PublicID, OrgID: k.OrgPublicID, Name: k.Name, User: nullable(k.Login), Algorithm: k.Algorithm,
		Fingerprint: k.Fingerprint, State: sshKeyState(k, now), Scopes: k.Scopes, CreatedAt: k.CreatedAt,
		ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, LastUsedAt: k.LastUsedAt,
	}
}

type sshSessionRecord struct {
	ID        string     `json:"id"`
	KeyID     string     `json:"key_id"`
	Name      string     `json:"name"`
	Remote    string     `json:"remote"`
	Client    string     `json:"client"`
	State     string     `json:"state"`
	BeganAt   time.Time  `json:"began_at"`
	SeenAt    time.Time  `json:"seen_at"`
	EndedAt   *time.Time `json:"ended_at"`
	EndReason *string    `json:"end_reason"`
	Proposed  int        `json:"proposed_count"`
}

func sshSessionOf(s store.SSHSession, now time.Time) sshSessionRecord {
	return sshSessionRecord{
		ID: s.ID, KeyID: s.KeyPublicID, Name: s.KeyName, Remote: s.Remote, Client: s.Client, State: sshSessionState(s, now),
		BeganAt: s.BeganAt, SeenAt: s.SeenAt, EndedAt: s.EndedAt, EndReason: nullable(s.EndReason), Proposed: s.Proposed,
	}
}

type revokedRecord struct {
	ID    string `json:"id"`
	State string `json:"state"`
}

type invoiceRecord struct {
	ID              string           `json:"id"`
	Number          string           `json:"number"`
	Status          invoicing.Status `json:"status"`
	Currency        string           `json:"currency"`
	Description     string           `json:"description"`
	RecipientName   string           `json:"recipient_name"`
	RecipientEmail  string           `json:"recipient_email"`
	SubtotalCents   int64            `json:"subtotal_cents"`
	TaxCents        int64            `json:"tax_cents"`
	TotalCents      int64            `json:"total_cents"`
	CreatedAt       time.Time        `json:"created_at"`
	UpdatedAt       time.Time        `json:"updated_at"`
	DueDate         *time.Time       `json:"due_date"`
	SentAt          *time.Time       `json:"sent_at"`
	PaidAt          *time.Time       `json:"paid_at"`
	VoidedAt        *time.Time       `json:"voided_at"`
	PaidCents       int64            `json:"paid_cents"`
	ContentWithheld bool             `json:"content_withheld"`
	OwnerName       *string          `json:"owner_name"`
	OwnerEmail      *string          `json:"owner_email"`
}

func invoiceOf(inv invoicing.Invoice) invoiceRecord {
	r := invoiceRecord{
		ID: inv.ID, Number: inv.Number(), Status: inv.Status, Currency: inv.Currency, Description: inv.Description,
		RecipientName: inv.RecipientName, RecipientEmail: inv.RecipientEmail,
		SubtotalCents: inv.SubtotalCents, TaxCents: inv.TaxCents, TotalCents: inv.TotalCents,
		CreatedAt: inv.CreatedAt, UpdatedAt: inv.UpdatedAt, SentAt: inv.SentAt, PaidAt: inv.PaidAt, VoidedAt: inv.VoidedAt,
		PaidCents: inv.PaidCents, ContentWithheld: inv.Withheld, OwnerName: nullable(inv.OwnerName),
		OwnerEmail: nullable(inv.OwnerEmail),
	}
	if !inv.DueDate.IsZero() {
		due := inv.DueDate.Time()
		r.DueDate = &due
	}
	return r
}

type paymentRecord struct {
	ID               string          `json:"id"`
	Status           payments.Status `json:"status"`
	AmountCents      int64           `json:"amount_cents"`
	Currency         string          `json:"currency"`
	Direction        string          `json:"direction"`
	Description      string          `json:"description"`
	CounterpartyName string          `json:"counterparty_name"`
	StatusReason     *string         `json:"status_reason"`
	CreatedAt        time.Time       `json:"created_at"`
	UpdatedAt        time.Time       `json:"updated_at"`
	HeldAt           *time.Time      `json:"held_at"`
	CompletedAt      *time.Time      `json:"completed_at"`
	FailedAt         *time.Time      `json:"failed_at"`
	CanceledAt       *time.Time      `json:"canceled_at"`
}

func paymentOf(p payments.Intent) paymentRecord {
	return paymentRecord{
		ID: p.ID, Status: p.Status, AmountCents: p.AmountCents, Currency: p.Currency, Direction: p.Direction,
		Description: p.Description, CounterpartyName: p.Counterparty, StatusReason: nullable(p.StatusReason),
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, HeldAt: p.HeldAt, CompletedAt: p.CompletedAt,
		FailedAt: p.FailedAt, CanceledAt: p.CanceledAt,
	}
}

type accountRecord struct {
	OrgID    string         `json:"org_id"`
	Status   string         `json:"status"`
	Balance  *balanceRecord `json:"balance"`
	SyncedAt *time.Time     `json:"synced_at"`
	Fault    bool           `json:"fault"`
}

type seedRecord struct {
	OrgID        string `json:"org_id"`
	Transactions int    `json:"transactions"`
}

type backupRecord struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

type balanceRecord struct {
	AvailableCents int64 `json:"available_cents"`
	HoldingCents   int64 `json:"holding_cents"`
	LockedCents    int64 `json:"locked_cents"`
	PendingCents   int64 `json:"pending_cents"`
}

func accountOf(org string, a store.Account) accountRecord {
	r := accountRecord{OrgID: org, Status: "not_open", Fault: a.Fault}
	if !a.Open {
		return r
	}
	b := a.Balance
	r.Status, r.Balance = "open", &balanceRecord{b.AvailableCents, b.HoldingCents, b.LockedCents, b.PendingCents}
	if !b.SyncedAt.IsZero() {
		r.SyncedAt = &b.SyncedAt
	}
	return r
}

type endpointRecord struct {
	ID                      string        `json:"id"`
	URL                     string        `json:"url"`
	EventTypes              []events.Type `json:"event_types"`
	Status                  string        `json:"status"`
	CreatedAt               time.Time     `json:"created_at"`
	UpdatedAt               time.Time     `json:"updated_at"`
	DisabledAt              *time.Time    `json:"disabled_at"`
	DisabledReason          *string       `json:"disabled_reason"`
	PreviousSecretExpiresAt *time.Time    `json:"previous_secret_expires_at"`
	FailingSince            *time.Time    `json:"failing_since"`
	PendingCount            int           `json:"pending_count"`
	HeldCount               int           `json:"held_count"`
}

// endpointOf returns an endpoint's record for the time now. It omits a previous secret that has
// expired, because that secret no longer signs deliveries, even if it is still stored.
func endpointOf(e service.EndpointState, now time.Time) endpointRecord {
	r := endpointRecord{
		ID: e.ID, URL: e.URL, EventTypes: e.EventTypes, Status: string(e.Status), CreatedAt: e.CreatedAt,
		UpdatedAt:  e.UpdatedAt,
		DisabledAt: e.DisabledAt, DisabledReason: nullable(string(e.DisabledReason)), FailingSince: e.FailingSince,
		PendingCount: e.Pending, HeldCount: e.Held,
	}
	if at := e.PreviousSecretExpiresAt; at != nil && now.Before(*at) {
		r.PreviousSecretExpiresAt = at
	}
	return r
}

// records converts a list of values to JSON records. The result is never nil, so that an empty list
// prints as [].
func records[T, R any](all []T, of func(T) R) []R {
	list := make([]R, len(all))
	for i, one := range all {
		list[i] = of(one)
	}
	return list
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
