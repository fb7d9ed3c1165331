// Package httpapi serves the HTTP API: the operations of the contract under /api/ext/v1, the
// contract itself, and two probes (docs/api.md, Operations, Check order, Errors).
//
// Every request passes the same checks in the same order: route (404, 405), token (401), rate
// limit (429), credential class and scope (403), size and type of the body (413, 415),
// parameters and body (400), record (404), semantics (422), state (409). HEAD is answered like
// GET, without the body.
//
// When too many requests are in progress, further ones wait for up to queueTimeout and are then
// refused with 429 and Retry-After. A refused request has changed nothing. The status is 429
// because the contract allows it for every operation, and 503 for only three.
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

// Prefix starts the path of every operation and carries the API's version.
const Prefix = "/api/ext/v1"

// requestTimeout bounds the time for one request, including its wait for a slot.
const requestTimeout = 15 * time.Second

// queueTimeout bounds how long a request waits for a slot while too many others are in progress.
const queueTimeout = 5 * time.Second

// Config configures the API. Everything but Contract is required.
type Config struct {
	Store             *store.Store
	Balances          BalanceReader
	Cursors           ledger.Cursors
	Logger            *slog.Logger
	Now               func() time.Time
	RatePerMinute     int // requests a minute for each token; 0 means no limit
	FailuresPerMinute int // failed authentications a minute for each address; 0 means no limit
	// MaxConcurrent caps the requests in progress; 0 means no cap. One organization gets at most
	// a quarter of them. Up to eight times MaxConcurrent requests may wait, a quarter of them of
	// one organization. All open requests, including those that wait or are still sending their
	// response, are capped at sixteen times MaxConcurrent, a quarter of them from one address.
	MaxConcurrent int
	Contract      []byte // served as /openapi.yaml
	// OnTokenUsed is called for each request with a valid token, with the time of the request.
	// It must not block.
	OnTokenUsed func(store.TokenKey, time.Time)
	// OnResponse is called for each request with the operation's name ("" for other routes),
	// the status and the time it took. It must not block.
	OnResponse func(operation string, status int, elapsed time.Duration)
	IDs        *ids.Source
	Entropy    io.Reader // source of webhook secrets; safe for concurrent use
	// Seal encrypts the secret of a webhook endpoint for storage.
	Seal  func(ctx context.Context, secret, endpointID string) ([]byte, error)
	Guard URLGuard
	PDFs  *invoicepdf.Renderer
}

// API is the HTTP interface. It is safe for concurrent use.
type API struct {
	Config
	routes         []route
	tokenLimiter   *access.Limiter // limits requests, by token
	addressLimiter *access.Limiter // limits failed authentications, by address
	byAddress      *admission.Gate // limits open requests, by address
	byOrganization *admission.Gate // limits authorized requests in progress, by organization
	pageCache      pageCache
}

// New returns the API as a handler.
func New(config Config) *API {
	maximum := config.MaxConcurrent
	api := &API{
		Config:         config,
		tokenLimiter:   access.NewLimiter(config.RatePerMinute),
		addressLimiter: access.NewLimiter(config.FailuresPerMinute),
		pageCache:      pageCache{maxBytes: maxPageCache},
		byAddress:      admission.New(admission.Limits{Running: 16 * maximum, RunningPerKey: 4 * maximum}),
		byOrganization: admission.New(admission.Limits{
			Running: maximum, RunningPerKey: max(1, maximum/4), Waiting: 8 * maximum, WaitingPerKey: 2 * maximum,
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

// Operation is one operation of the contract. Its Scope is access.None if any valid token
// may use it.
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

// operation is an Operation with its handler. The handler returns an error, a customResponse, or
// any other value, which is sent as JSON with status 200.
type operation struct {
	Operation
	handle func(*call) (any, error)
}

func newOperation(id, method, path string, scope access.Scope, handle func(*call) (any, error)) operation {
	return operation{Operation{id, method, Prefix + path, scope}, handle}
}

var operations = [...]operation{
	newOperation("ping", http.MethodGet, "/ping", access.None, ping),
	newOperation("getAccount", http.MethodGet, "/account", access.AccountRead, getAccount),
	newOperation("getCashPosition", http.MethodGet, "/insights/cash-position", access.AccountRead, getCashPosition),
	newOperation("getReceivablesAging", http.MethodGet, "/receivables/aging", access.InvoicesRead, getReceivablesAging),
	newOperation("listInvoices", http.MethodGet, "/invoices", access.InvoicesRead, listInvoices),
	newOperation("proposeInvoice", http.MethodPost, "/invoices", access.InvoicesPropose, proposeInvoice),
	newOperation("getInvoice", http.MethodGet, "/invoices/{invoiceId}", access.InvoicesRead, getInvoice),
	newOperation("getInvoicePdf", http.MethodGet, "/invoices/{invoiceId}/pdf", access.InvoicesRead, getInvoicePDF),
	newOperation("listTransactions", http.MethodGet, "/transactions", access.PaymentsRead, listTransactions),
	newOperation("getTransaction", http.MethodGet, "/transactions/{transactionId}", access.PaymentsRead, getTransaction),
	newOperation("getPaymentIntent", http.MethodGet, "/payment-intents/{intentId}", access.PaymentsRead, getPaymentIntent),
	newOperation("listEvents", http.MethodGet, "/events", access.EventFeedRead, listEvents),
	newOperation("getEvent", http.MethodGet, "/events/{eventId}", access.EventFeedRead, getEvent),
	newOperation("listWebhooks", http.MethodGet, "/webhooks", access.WebhookEndpointsManage, listWebhooks),
	newOperation("createWebhook", http.MethodPost, "/webhooks", access.WebhookEndpointsManage, createWebhook),
	newOperation("getWebhook", http.MethodGet, "/webhooks/{webhookId}", access.WebhookEndpointsManage, getWebhook),
	newOperation("updateWebhook", http.MethodPatch, "/webhooks/{webhookId}", access.WebhookEndpointsManage, updateWebhook),
	newOperation(
		"deleteWebhook", http.MethodDelete, "/webhooks/{webhookId}", access.WebhookEndpointsManage, deleteWebhook,
	),
	newOperation(
		"listWebhookDeliveries", http.MethodGet, "/webhooks/{webhookId}/deliveries", access.WebhookEndpointsManage,
		listWebhookDeliveries,
	),
	newOperation(
		"rotateWebhookSecret", http.MethodPost, "/webhooks/{webhookId}/rotate-secret", access.WebhookEndpointsManage,
		rotateWebhookSecret,
	),
	newOperation(
		"verifyWebhook", http.MethodPost, "/webhooks/{webhookId}/verify", access.WebhookEndpointsManage, verifyWebhook,
	),
}
