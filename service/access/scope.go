// Package access decides who may do what: the form of credentials, the scopes and validity of
// tokens, and rate limits (docs/api.md, Token, Scopes, Rate limit).
package access

import (
	"fmt"
	"slices"
	"strings"
)

// Scope is a permission of a token, such as "invoices:read".
type Scope string

// The scopes. None is the scope of operations that any valid token may call, such as ping.
const (
	None                   Scope = ""
	AccountRead            Scope = "account:read"
	InvoicesRead           Scope = "invoices:read"
	InvoicesPropose        Scope = "invoices:propose"
	PaymentsRead           Scope = "payments:read"
	EventFeedRead          Scope = "event_feed:read"
	WebhookEndpointsManage Scope = "webhook_endpoints:manage"
)

// Scopes lists all scopes except None.
var Scopes = [...]Scope{AccountRead, InvoicesRead, InvoicesPropose, PaymentsRead, EventFeedRead, WebhookEndpointsManage}

// ParseScope returns the scope named s. ok is false if no scope has that name.
func ParseScope(s string) (Scope, bool) {
	for _, known := range Scopes {
		if string(known) == s {
			return known, true
		}
	}
	return None, false
}

// Normalize returns scopes without duplicates, in the order of the variable Scopes. It returns an
// error if scopes is empty or contains an unknown scope.
func Normalize(scopes []Scope) ([]Scope, error) {
	for _, scope := range scopes {
		if _, ok := ParseScope(string(scope)); !ok {
			return nil, fmt.Errorf("unknown scope %q; the scopes are %s", scope, scopeNames())
		}
	}
	var sorted []Scope
	for _, known := range Scopes {
		if slices.Contains(scopes, known) {
			sorted = append(sorted, known)
		}
	}
	if len(sorted) == 0 {
		return nil, fmt.Errorf("a token needs a scope; the scopes are %s", scopeNames())
	}
	return sorted, nil
}

func scopeNames() string {
	names := make([]string, len(Scopes))
	for i, scope := range Scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ", ")
}
