package mercury

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.URL.RequestURI())
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	path, found := strings.CutPrefix(r.URL.Path, "/api/v1")
	id, ofAccount := strings.CutPrefix(path, "/account/")
	rest, ofTreasury := strings.CutPrefix(path, "/treasury/")
	treasury, lines := strings.CutSuffix(rest, "/transactions")
	switch {
	case s.status != 0:
		if s.wait != "" {
			w.Header().Set("Retry-After", s.wait)
		}
		http.Error(w, "<html>"+token+"</html>", s.status)
	case s.token == "" || token != s.token:
		write(w, http.StatusUnauthorized, map[string]any{"errors": map[string]any{
			"errorCode": "noTokenInDBButMaybeMalformed", "message": "no such token: " + token}})
	case !found || r.Method != http.MethodGet:
		http.NotFound(w, r)
	case path == "/accounts":
		s.serveAccounts(w, r.URL.Query())
	case path == "/treasury":
		s.serveTreasury(w, r.URL.Query())
	case path == "/credit":
		write(w, http.StatusOK, map[string]any{"accounts": []any{}})
	case path == "/transactions":
		s.serveRows(w, r.URL.Query())
	case ofAccount:
		s.serveAccount(w, id)
	case ofTreasury && lines:
		s.serveTreasuryRows(w, treasury, r.URL.Query())
	default:
		http.NotFound(w, r)
	}
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// serveAccounts answers with the accounts that are no treasury accounts, in pages.
func (s *Server) serveAccounts(w http.ResponseWriter, query url.Values) {
	listed := slices.DeleteFunc(slices.Clone(s.accounts), func(a *Account) bool {
		return a.Kind == "treasury" && !a.twice
	})
	found, ok := pageOf(listed, query, s.page, func(a *Account) string { return a.ID })
	if !ok {
		write(w, http.StatusBadRequest, map[string]any{"errors": map[string]any{"errorCode": "badRequest"}})
		return
	}
	answers := []any{}
	for _, a := range found {
		answers = append(answers, s.account(a))
	}
	write(w, http.StatusOK, map[string]any{"accounts": answers, "page": map[string]any{}})
}

func (s *Server) serveTreasury(w http.ResponseWriter, query url.Values) {
	listed := slices.DeleteFunc(slices.Clone(s.accounts), func(a *Account) bool { return a.Kind != "treasury" })
	found, _ := pageOf(listed, query, s.page, func(a *Account) string { return a.ID })
	answers := []any{}
	for _, a := range found {
		answers = append(answers, map[string]any{
			"id": a.ID, "status": a.Status, "createdAt": a.created.Format(time.RFC3339),
			"availableBalance": dollars(a.minor), "currentBalance": dollars(a.minor), "netReturns": dollars(0),
		})
	}
	write(w, http.StatusOK, map[string]any{"accounts": answers, "page": map[string]any{}})
}

func (s *Server) serveAccount(w http.ResponseWriter, id string) {
	for _, a := range s.accounts {
		if a.ID == id {
			write(w, http.StatusOK, s.account(a))
			return
		}
	}
	write(w, http.StatusNotFound, map[string]any{"errors": map[string]any{"errorCode": "notFound"}})
}

func (s *Server) account(a *Account) map[string]any {
	held := int64(0)
	for _, row := range s.rows {
		if row.account == a && row.Status == "pending" && row.Minor < 0 {
			held += row.Minor
		}
	}
	return map[string]any{
		"id": a.ID, "name": a.Name, "nickname": nil, "accountNumber": a.Number, "routingNumber": "091311229",
		"status": a.Status, "type": a.Type, "kind": a.Kind, "createdAt": a.created.Format(time.RFC3339),
		"legalBusinessName": "Lumen Works, Inc.", "canReceiveTransactions": true,
		"currentBalance": dollars(a.minor), "availableBalance": dollars(a.minor + held),
	}
}

// serveRows answers with transactions in the order in which they were created, in pages.
func (s *Server) serveRows(w http.ResponseWriter, query url.Values) {
	for name := range query {
		if !slices.Contains([]string{"start", "end", "postedStart", "postedEnd", "accountId", "limit", "order",
			"start_after"}, name) {
			write(w, http.StatusBadRequest, map[string]any{"errors": map[string]any{"errorCode": "unknown " + name}})
			return
		}
	}
	listed := slices.DeleteFunc(slices.Clone(s.rows), func(row *Row) bool {
		return row.account.Kind == "treasury" ||
			query.Has("accountId") && !slices.Contains(query["accountId"], row.account.ID) ||
			!within(row.created, query.Get("start"), query.Get("end")) ||
			(query.Has("postedStart") || query.Has("postedEnd")) &&
				(row.posted.IsZero() || !within(row.posted, query.Get("postedStart"), query.Get("postedEnd")))
	})
	found, ok := pageOf(listed, query, s.page, func(row *Row) string { return row.ID })
	if !ok {
		write(w, http.StatusBadRequest, map[string]any{"errors": map[string]any{"errorCode": "badRequest"}})
		return
	}
	answers := []any{}
	for _, row := range found {
		answers = append(answers, s.row(row))
	}
	write(w, http.StatusOK, map[string]any{"transactions": answers, "page": map[string]any{}})
}

func (s *Server) row(row *Row) map[string]any {
	answer := map[string]any{
		"id": row.ID, "accountId": row.account.ID, "amount": dollars(row.Minor), "status": row.Status,
		"createdAt": row.created.Format(time.RFC3339), "postedAt": nil, "kind": row.Kind,
		"estimatedDeliveryDate": row.created.Format(time.RFC3339), "counterpartyName": row.Counterparty,
		"counterpartyId": row.ID, "bankDescription": nil, "relatedTransactions": []any{},
		"dashboardLink": "https://mercury.com/transactions/" + row.ID,
	}
	if !row.posted.IsZero() {
		answer["postedAt"] = row.posted.Format(time.RFC3339)
	}
	return answer
}

// serveTreasuryRows answers with the transactions of a treasury account, the newest first.
func (s *Server) serveTreasuryRows(w http.ResponseWriter, id string, query url.Values) {
	listed := []any{}
	for _, row := range slices.Backward(s.rows) {
		if row.account.ID == id {
			listed = append(listed, map[string]any{
				"id": row.ID, "accountId": id, "amount": dollars(row.Minor), "balance": dollars(0),
				"canonicalDay": row.posted.Format(time.DateOnly), "description": row.Counterparty,
				"type": "dividendPosted",
			})
		}
	}
	first, _ := strconv.Atoi(query.Get("cursor"))
	first = min(max(first, 0), len(listed))
	last := min(first+min(s.page, 100), len(listed))
	answer := map[string]any{"transactions": listed[first:last]}
	if last < len(listed) {
		answer["cursor"] = last
	}
	write(w, http.StatusOK, answer)
}

// within reports whether a time is on the days from first to last, which are "" for no limit.
func within(t time.Time, first, last string) bool {
	day := t.UTC().Format(time.DateOnly)
	return (first == "" || day >= first) && (last == "" || day <= last)
}

// pageOf returns the items after the one whose id is the parameter start_after. It returns false
// for parameters that the API refuses.
func pageOf[T any](items []T, query url.Values, most int, id func(T) string) (found []T, ok bool) {
	limit := min(1000, most)
	if text := query.Get("limit"); text != "" {
		asked, err := strconv.Atoi(text)
		if err != nil || asked < 1 || asked > 1000 {
			return nil, false
		}
		limit = min(limit, asked)
	}
	if after := query.Get("start_after"); after != "" {
		at := slices.IndexFunc(items, func(item T) bool { return id(item) == after })
		if at < 0 {
			return nil, false
		}
		items = items[at+1:]
	}
	return items[:min(limit, len(items))], true
}

// dollars returns an amount as Mercury writes it: as a JSON number of dollars.
func dollars(minor int64) json.Number {
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	text := fmt.Sprintf("%s%d.%02d", sign, minor/100, minor%100)
	return json.Number(strings.TrimSuffix(strings.TrimSuffix(text, "0"), ".0"))
}
