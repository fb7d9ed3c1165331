// Package problem describes errors of the API client for users: a short reason, the whole reason,
// and what to do. The texts never contain a token, a query or control characters.
package problem

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/internal/termtext"
)

// Problem describes an error. Its texts begin with a lower-case letter and do not end with a full
// stop.
type Problem struct {
	Reason    string // what is wrong, in a few words
	Detail    string // Reason with all details that are known
	Advice    string // what to do; "" if nothing helps
	Request   string // request that failed, such as GET /account; "" if there was none
	RequestID string // the server's ID for the request; "" if unknown
	Offline   bool   // the server did not respond
}

// Reason says in a few words what is wrong. For nil it returns "".
func Reason(err error) string { return Of(err).Reason }

// Of describes an error. For nil it returns the zero Problem.
func Of(err error) Problem {
	var (
		refusal  *apiclient.Error
		contract *apiclient.ContractError
		network  *apiclient.NetworkError
		p        Problem
	)
	switch {
	case err == nil:
		return Problem{}
	case errors.As(err, &refusal):
		p = ofRefusal(refusal)
		if !refusal.Local {
			p.Request, p.RequestID = request(refusal.Method, refusal.Route), refusal.RequestID
		}
	case errors.As(err, &contract):
		p = ofContractError(contract)
		p.Request = request(contract.Method, contract.Route)
	case errors.As(err, &network):
		p = ofConnection(network.Err)
		if network.Partial && !errors.Is(err, context.Canceled) {
			p = truncatedResponse(network.Err)
		}
		if network.Local {
			p = ofLocalConnection(network, p)
		} else {
			p.Request = request(network.Method, network.Route)
		}
		if isWrite(network.Method) && !network.OutcomeUnknown {
			p.Detail += "; nothing was sent"
		}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		p = ofConnection(err)
	default:
		return newProblem(err.Error(), "", "")
	}
	if errors.Is(err, apiclient.ErrOutcomeUnknown) {
		p.Advice = "it may have taken effect: check before sending it again"
	}
	return p
}

// Text returns the whole reason and what to do. It begins with a lower-case letter, so that it can
// follow a colon.
func (p Problem) Text() string {
	if p.Advice == "" {
		return p.Detail + "."
	}
	return p.Detail + ". " + Sentence(p.Advice)
}

// Line describes an error in one line: the request, the whole reason and what to do. If the error
// does not come from the API client, Line returns its text.
func Line(err error) string {
	var (
		refusal  *apiclient.Error
		contract *apiclient.ContractError
		network  *apiclient.NetworkError
		inner    error
	)
	switch {
	case errors.As(err, &refusal):
		inner = refusal
	case errors.As(err, &contract):
		inner = contract
	case errors.As(err, &network):
		inner = network
	default:
		return termtext.Line(err.Error())
	}
	p := Of(inner)
	words := p.Detail
	if p.Request != "" {
		words = p.Request + ": " + p.Detail
	}
	if p.Advice != "" {
		words += "; " + p.Advice
	}
	return termtext.Line(strings.Replace(err.Error(), inner.Error(), words, 1))
}

// Sentence returns text with a capital letter at the beginning and a full stop at the end.
func Sentence(text string) string {
	text = strings.TrimRight(termtext.Line(text), ".")
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

// newProblem returns a Problem whose texts contain no control characters.
func newProblem(reason, detail, advice string) Problem {
	p := Problem{Reason: strings.TrimRight(termtext.Line(reason), "."), Advice: advice}
	p.Detail = p.Reason
	if detail = strings.TrimRight(termtext.Line(detail), "."); detail != "" {
		p.Detail += ": " + detail
	}
	return p
}

func request(method, route string) string { return strings.TrimSpace(method + " " + route) }

func isWrite(method string) bool { return method != "" && method != http.MethodGet }

// Credential names what authorized the request that failed with err, such as "SSH key". For any
// other error it returns "token".
func Credential(err error) string {
	if e, ok := errors.AsType[*apiclient.Error](err); ok && e.Credential != "" {
		return e.Credential
	}
	return "token"
}

// ofCredential returns the text for a client that is authorized by a token or by something else.
func ofCredential(e *apiclient.Error, token, other string) string {
	if e.Credential == "" {
		return token
	}
	return other
}

// notTheAPI is the advice after a response that seems to come from something other than the API.
const notTheAPI = "check the base URL including its path, and look for a proxy or login page in between"

// ofRefusal describes a response with an error status.
func ofRefusal(e *apiclient.Error) Problem {
	message := explanation(e)
	p := newProblem(message, "", "")
	switch {
	case e.Local:
		return ofLocalRefusal(e.Status, message)
	case e.Status == http.StatusUnauthorized:
		p = newProblem("the server refused the "+Credential(e), message, ofCredential(e,
			"it is mistyped, expired, revoked or for another server: set a new one, such as with `tarmac login`, and restart",
			"it was revoked or has expired: ask the server's operator"))
	case e.Status == http.StatusForbidden && e.Scope == "" && Scope(e) != "":
		p = newProblem("not allowed", message, ofCredential(e,
			request(e.Method, e.Route)+" needs the scope "+Scope(e)+": ask for a token with it",
			"ask the server's operator to add it again with the scope "+Scope(e)))
	case e.Status == http.StatusForbidden && e.Scope != "":
		p = newProblem("not allowed", "the "+Credential(e)+" lacks the scope "+e.Scope, ofCredential(e,
			"ask for a token with the scope "+e.Scope+"; scopes cannot be added to an existing token",
			"ask the server's operator to add it again with the scope "+e.Scope))
	case e.Status == http.StatusForbidden:
		p = newProblem("not allowed", message,
			ofCredential(e, "ask the person who issued the token", "ask the server's operator"))
	case e.Status == http.StatusProxyAuthRequired:
		return ofProxy(e.Status)
	case e.Status == http.StatusTooManyRequests:
		p = newProblem("rate limited", "", "wait, and check what else uses this "+Credential(e))
		if e.RetryAfter > 0 {
			p.Detail += ": the server asks to wait " + waitText(e.RetryAfter)
		}
	case e.Status == http.StatusNotFound, e.Status == http.StatusGone:
		p = newProblem("not found", message, "")
		if message == "" {
			p.Advice = notTheAPI
		}
	case e.Status == http.StatusConflict:
		p = ofConflict(e, message)
	case e.Status >= 500:
		p = newProblem(cmp.Or(message, unavailable(e.Status)), "", "try again later, or tell the server's administrator")
	case e.Status >= 300 && e.Status < 400:
		p = newProblem("the server redirects to another address", "redirects are not followed", notTheAPI)
	case e.Status == http.StatusBadRequest && strings.Contains(message, "cursor"):
		p.Advice = "start again from the first page, without the cursor"
	case message == "":
		p = newProblem("the server answered "+status(e.Status), "", notTheAPI)
	}
	p.Detail += " (" + strconv.Itoa(e.Status) + ")"
	if e.RetryAfter > 0 && e.Status != http.StatusTooManyRequests {
		p.Detail += "; the server asks to wait " + waitText(e.RetryAfter)
	}
	return p
}

// ofLocalRefusal describes a refusal by own books or by the demo, which this program serves itself:
// nobody else can be asked.
func ofLocalRefusal(code int, message string) Problem {
	switch {
	case code >= 500:
		return ofLocalFailure(message)
	case code == http.StatusUnauthorized:
		return newProblem("these books are not open any more", "", "start tarmac again")
	case code == http.StatusTooManyRequests:
		return newProblem("the books are busy", "", "wait a moment")
	}
	return newProblem(cmp.Or(message, status(code)), "", "")
}

// ofLocalConnection describes a request to own books or to the demo that got no response, of which
// p says why.
func ofLocalConnection(e *apiclient.NetworkError, p Problem) Problem {
	if errors.Is(e.Err, context.Canceled) || isTimeout(e.Err) {
		return p
	}
	local := newProblem("the books do not answer", lastCause(e.Err), "start tarmac again")
	local.Offline = p.Offline
	return local
}

// laterSuffix ends the messages of failures of own books that may pass.
const laterSuffix = "; retry later"

// Lasts reports whether own books cannot answer until the user does something, such as state a
// balance, so that waiting does not help.
func Lasts(err error) bool {
	refusal, ok := errors.AsType[*apiclient.Error](err)
	if !ok || !refusal.Local || refusal.Status < 500 {
		return false
	}
	message := explanation(refusal)
	return message != "" && !strings.HasSuffix(message, laterSuffix)
}

func ofLocalFailure(message string) Problem {
	what, later := strings.CutSuffix(message, laterSuffix)
	if what != "" && !later {
		return newProblem(what, "", "")
	}
	return newProblem(cmp.Or(what, "the books could not be read"), "",
		"run `tarmac doctor`; docs/import.md says how to restore a backup")
}

// ofConflict describes a response with status 409. For a proposal, it means that the organization
// has no active owner or too many drafts.
func ofConflict(e *apiclient.Error, message string) Problem {
	if e.Method == http.MethodPost && e.Route == "/invoices" && (message == "" || strings.Contains(message, "owner")) {
		return newProblem(cmp.Or(message, "the organization has no active owner for the invoice"), "",
			"ask an administrator to set an active owner, then propose again")
	}
	if e.Method == http.MethodPost && e.Route == "/invoices" && strings.Contains(message, "draft") {
		return newProblem(message, "", "ask an administrator to decide about the drafts, then propose again")
	}
	return newProblem(cmp.Or(message, "the current state does not allow it"), "",
		"check the current state, and try again")
}

// explanation returns the message of the server. If that only repeats the status, it returns "".
func explanation(e *apiclient.Error) string {
	message := strings.TrimRight(termtext.Line(e.Message), ".")
	if bare := status(e.Status); strings.EqualFold(message, bare) ||
		strings.EqualFold(message, "the server answered "+bare) {
		return ""
	}
	return message
}

func status(code int) string {
	return cmp.Or(strings.ToLower(http.StatusText(code)), "with an unknown status")
}

func unavailable(status int) string {
	switch status {
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return "a gateway cannot reach the server"
	case http.StatusServiceUnavailable:
		return "the server is not available"
	}
	return "the server failed"
}

// ofContractError describes a response that breaks the contract of the API.
func ofContractError(e *apiclient.ContractError) Problem {
	if e.NotAPI {
		return newProblem("the response does not follow the API", "it "+e.Problem, notTheAPI)
	}
	what := "it " + e.Problem
	if e.Field != "" {
		what = "field " + e.Field + " " + e.Problem
	}
	return newProblem("the response could not be read", what,
		"tell whoever runs the service: its response does not follow the API")
}

// waitText formats the time until a retry. It rounds up, so that it never promises too short
// a wait.
func waitText(d time.Duration) string {
	if d > 2*time.Minute {
		return fmt.Sprintf("%d minutes", (d+time.Minute-1)/time.Minute)
	}
	return fmt.Sprintf("%d s", (d+time.Second-1)/time.Second)
}
