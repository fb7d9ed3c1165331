package simplefin

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"tarmac/internal/money"
)

// forbidden is the Bridge's answer to credentials that it does not accept.
var forbidden = map[string]any{
	"errlist":     []any{map[string]string{"code": "gen.auth", "msg": "Forbidden"}},
	"accounts":    []any{},
	"connections": []any{},
}

// object is a JSON object.
type object = map[string]any

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client may have hung up
}

// version2Answer returns the answer in the shape of version 2.
func (s *Server) version2Answer(q query, problems []Problem) object {
	errors := []any{}
	for _, p := range problems {
		e := object{"code": p.Code, "msg": p.Text}
		if p.Connection != nil {
			e["conn_id"] = p.Connection.id
		}
		if p.Account != nil {
			e["account_id"] = p.Account.id
		}
		errors = append(errors, e)
	}
	connections := []any{}
	for _, c := range s.connections {
		connections = append(connections, object{
			"conn_id": c.id, "name": c.name, "org_id": "INST-" + c.bank, "org_name": c.bank,
			"org_url": "https://" + domain(c.bank), "sfin_url": "https://" + s.host + "/simplefin",
		})
	}
	accounts := s.accountsOf(q)
	for i, a := range s.selected(q) {
		accounts[i]["conn_id"] = a.connection.id
	}
	return object{"errlist": errors, "connections": connections, "accounts": accounts}
}

// version1Answer returns the answer in the shape of version 1.
func (s *Server) version1Answer(q query, problems []Problem) object {
	errors := []string{}
	for _, p := range problems {
		text := p.Text
		if p.Connection != nil {
			text = p.Connection.bank + ": " + text
		}
		errors = append(errors, text)
	}
	accounts := s.accountsOf(q)
	for i, a := range s.selected(q) {
		accounts[i]["org"] = object{
			"domain": domain(a.connection.bank), "name": a.connection.bank,
			"sfin-url": "https://" + s.host + "/simplefin",
		}
	}
	return object{"errors": errors, "accounts": accounts}
}

func domain(bank string) string {
	return strings.ReplaceAll(strings.ToLower(bank), " ", "") + ".example.com"
}

// selected returns the accounts that a request asks for.
func (s *Server) selected(q query) (selected []*Account) {
	for _, a := range s.accounts {
		if len(q.accounts) == 0 || slices.Contains(q.accounts, a.id) {
			selected = append(selected, a)
		}
	}
	return selected
}

// accountsOf returns the accounts of an answer, without their bank.
func (s *Server) accountsOf(q query) []object {
	all := []object{}
	for _, a := range s.selected(q) {
		at := a.asOf
		if at.IsZero() {
			at = q.balanceAt
		}
		o := object{
			"id": a.id, "name": a.name, "currency": a.currency, "balance": a.amount(a.balanceAt(q.balanceAt)),
			"balance-date": at.Unix(), "transactions": a.transactions(q), "extra": object{},
		}
		if a.balance != "" {
			o["balance"] = a.balance
		}
		if a.available != nil {
			o["available-balance"] = a.amount(*a.available)
		}
		if a.shares {
			o["holdings"] = []any{
				object{"id": "HOL-1", "symbol": "VTI", "shares": "105884.8", "market_value": "100.00"},
			}
		}
		all = append(all, o)
	}
	return all
}

// transactions returns the lines of an account that a request asks for.
func (a *Account) transactions(q query) []object {
	all := []object{}
	if q.balancesOnly {
		return all
	}
	for _, l := range a.between(q.from, q.before, q.pending) {
		o := object{
			"id": l.id, "posted": unix(l.posted), "amount": a.amount(l.minor), "description": l.description,
			"payee": l.payee, "memo": "",
		}
		if l.amount != "" {
			o["amount"] = l.amount
		}
		if !l.happened.IsZero() {
			o["transacted_at"] = unix(l.happened)
		}
		if l.pending {
			o["pending"] = true
		}
		all = append(all, o)
	}
	return all
}

// unix returns a time as Unix seconds, and 0 for the zero time.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// amount returns an amount in minor units as text.
func (a *Account) amount(minor int64) string {
	return strings.ReplaceAll(money.Format(minor, "USD"), ",", "")
}
