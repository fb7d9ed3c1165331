package problem

import (
	"errors"
	"net/http"
	"strings"

	"tarmac/apiclient"
)

// scopes are the scopes that reading needs (docs/api.md, Operations), by the beginning of the
// route.
var scopes = [...]struct{ route, scope string }{
	{"/account", "account:read"},
	{"/insights/", "account:read"},
	{"/receivables/", "invoices:read"},
	{"/invoices", "invoices:read"},
	{"/transactions", "payments:read"},
	{"/payment-intents", "payments:read"},
	{"/events", "event_feed:read"},
	{"/webhooks", "webhook_endpoints:manage"},
}

// Scope returns the scope that a refused request lacks, as the server names it, or else the scope
// that its operation needs. It returns "" for other errors, and if the scope is unknown.
func Scope(err error) string {
	var e *apiclient.Error
	if !errors.As(err, &e) || e.Status != http.StatusForbidden {
		return ""
	}
	if e.Scope != "" {
		return e.Scope
	}
	if isWrite(e.Method) && strings.HasPrefix(e.Route, "/invoices") {
		return "invoices:propose"
	}
	for _, s := range scopes {
		if strings.HasPrefix(e.Route, s.route) {
			return s.scope
		}
	}
	return ""
}
