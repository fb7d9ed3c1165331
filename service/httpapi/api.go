// Package httpapi serves the organization's finances over HTTP: the operations
// of the contract under /api/ext/v1, and the contract itself (docs/api.md,
// Operations, Check order, Errors).
//
// Every request is checked in one order: the route exists (404, 405), the
// credential is known (401), it has not asked too often (429), its class and
// scope allow it (403), its body is of a size and type that are taken (413, 415),
// the parameters and the body are well formed (400), and only then is anything
// looked up (404), judged (422) or changed (409). HEAD is answered as GET without
// its body.
//
// Where more is asked at once than can be worked on, requests wait for a while and
// are then turned away with 429 and Retry-After, never half done: the contract has
// 429 for every operation and 503 for three, and to a client that writes 429 says
// for certain that nothing was written.
package httpapi

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"tarmac/service/access"
	"tarmac/service/admission"
	"tarmac/service/ids"
	"tarmac/service/invoicepdf"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Prefix is the path that all operations are under; it carries the API's version.
const Prefix = "/api/ext/v1"

// requestTimeout bounds the work on one request.
const requestTimeout = 15 * time.Second

// patience is how long a request waits for others to be done.
const patience = 5 * time.Second

// Config is what the API needs. Everything but Contract is required.
type Config struct {
	Store         *store.Store
	Balances      BalanceReader
	Cursors       ledger.Cursors
	Logger        *slog.Logger
	Now           func() time.Time
	RatePerMinute int // requests a minute for each token; 0 is no limit
	// FailuresPerMinute is how many credentials an address may get wrong; 0 is no limit.
	FailuresPerMinute int
	// Requests is how many are worked on at a time; 0 is no limit. One organization
	// may have a quarter of them, eight times as many may wait, and sixteen times as
	// many may be there at all, of one address a quarter.
	Requests int
	Contract []byte // served as /openapi.yaml
	// TokenUsed is told of every accepted token. It must not block.
	TokenUsed func(store.TokenKey, time.Time)
	// Answered is told of every request: the operation's name, or "" for what is
	// none, the status and how long it took. It must not block.
	Answered func(operation string, status int, took time.Duration)
	IDs      *ids.Source
	Entropy  io.Reader // of webhook secrets; safe for concurrent use
	// Seal encrypts an endpoint's secret for keeping.
	Seal  func(ctx context.Context, secret, endpointID string) ([]byte, error)
	Guard URLGuard
	Pages *invoicepdf.Renderer
}

// API is the HTTP interface. It is safe for concurrent use.
type API struct {
	Config
	routes   []route
	requests *access.Limiter
	failures *access.Limiter
	door     *admission.Gate // of all that ask, by address
	work     *admission.Gate // of those that may, by organization
	pages    pages
}

// New returns the API as a handler.
func New(config Config) *API {
	api := &API{
		Config:   config,
		requests: access.NewLimiter(config.RatePerMinute),
		failures: access.NewLimiter(config.FailuresPerMinute),
		pages:    pages{most: maxPages},
		door:     admission.New(admission.Limits{Running: 16 * config.Requests, RunningEach: 4 * config.Requests}),
		work: admission.New(admission.Limits{
			Running: config.Requests, RunningEach: max(1, config.Requests/4), Waiting: 8 * config.Requests, WaitingEach: 2 * config.Requests,
		}),
	}
	for _, op := range operations {
		api.routes = append(api.routes, newRoute(op.ID, op.Method, op.Path, api.operation(op)))
	}
	api.routes = append(api.routes,
		newRoute("", http.MethodGet, "/openapi.yaml", api.contract),
		newRoute("", http.MethodGet, "/healthz", api.health),
		newRoute("", http.MethodGet, "/readyz", api.ready),
	)
	return api
}

// Operation is one operation of the contract. Scope is access.None where any
// valid token will do.
type Operation struct {
	ID     string
	Method string
	Path   string
	Scope  access.Scope
}

// Operations returns the operations that this API serves.
func Operations() []Operation {
	all := make([]Operation, len(operations))
	for i, op := range operations {
		all[i] = op.Operation
	}
	return all
}

// operation is an Operation with the function that answers it. The function
// returns what to encode as JSON, a reply, or an error.
type operation struct {
	Operation
	answer func(*call) (any, error)
}

var operations = [...]operation{
	{Operation{"ping", http.MethodGet, Prefix + "/ping", access.None}, ping},
	{Operation{"getAccount", http.MethodGet, Prefix + "/account", access.AccountRead}, getAccount},
	{Operation{"getCashPosition", http.MethodGet, Prefix + "/insights/cash-position", access.AccountRead}, getCashPosition},
	{Operation{"getReceivablesAging", http.MethodGet, Prefix + "/receivables/aging", access.InvoicesRead}, getReceivablesAging},
	{Operation{"listInvoices", http.MethodGet, Prefix + "/invoices", access.InvoicesRead}, listInvoices},
	{Operation{"proposeInvoice", http.MethodPost, Prefix + "/invoices", access.InvoicesPropose}, proposeInvoice},
	{Operation{"getInvoice", http.MethodGet, Prefix + "/invoices/{invoiceId}", access.InvoicesRead}, getInvoice},
	{Operation{"getInvoicePdf", http.MethodGet, Prefix + "/invoices/{invoiceId}/pdf", access.InvoicesRead}, getInvoicePDF},
	{Operation{"listTransactions", http.MethodGet, Prefix + "/transactions", access.PaymentsRead}, listTransactions},
	{Operation{"getTransaction", http.MethodGet, Prefix + "/transactions/{transactionId}", access.PaymentsRead}, getTransaction},
	{Operation{"getPaymentIntent", http.MethodGet, Prefix + "/payment-intents/{intentId}", access.PaymentsRead}, getPaymentIntent},
	{Operation{"listEvents", http.MethodGet, Prefix + "/events", access.EventFeedRead}, listEvents},
	{Operation{"getEvent", http.MethodGet, Prefix + "/events/{eventId}", access.EventFeedRead}, getEvent},
	{Operation{"listWebhooks", http.MethodGet, Prefix + "/webhooks", access.WebhookEndpointsManage}, listWebhooks},
	{Operation{"createWebhook", http.MethodPost, Prefix + "/webhooks", access.WebhookEndpointsManage}, createWebhook},
	{Operation{"getWebhook", http.MethodGet, Prefix + "/webhooks/{webhookId}", access.WebhookEndpointsManage}, getWebhook},
	{Operation{"updateWebhook", http.MethodPatch, Prefix + "/webhooks/{webhookId}", access.WebhookEndpointsManage}, updateWebhook},
	{Operation{"deleteWebhook", http.MethodDelete, Prefix + "/webhooks/{webhookId}", access.WebhookEndpointsManage}, deleteWebhook},
	{Operation{"listWebhookDeliveries", http.MethodGet, Prefix + "/webhooks/{webhookId}/deliveries", access.WebhookEndpointsManage}, listWebhookDeliveries},
	{Operation{"rotateWebhookSecret", http.MethodPost, Prefix + "/webhooks/{webhookId}/rotate-secret", access.WebhookEndpointsManage}, rotateWebhookSecret},
	{Operation{"verifyWebhook", http.MethodPost, Prefix + "/webhooks/{webhookId}/verify", access.WebhookEndpointsManage}, verifyWebhook},
}
