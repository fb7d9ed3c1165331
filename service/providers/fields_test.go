package providers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tarmac/service/providers"
)

// hostile are values that a service puts into one field of its answer. None is an amount that can
// be read exactly.
var hostile = []string{
	`null`, `true`, `{}`, `[]`, `[null]`, `""`, `"\u0000"`, `-1e400`, `1e2`, `"1e2"`, `12.345`, `"12.345"`, `"NaN"`,
	`"99999999999999999999"`, `99999999999999999999`, `"1,234.50"`, `" "`, `"\u001b]0;title\u0007"`,
	`"\u202e50.00"`, `"https://example.org/miles"`, `"9999-99-99"`, `"0000-01-01T00:00:00Z"`,
	`"` + strings.Repeat("x", 20<<10) + `"`,
}

func TestAHostileValueInAnyFieldIsRefusedOrChangesNoAmount(t *testing.T) {
	every := 3 // one of so many pairs of a field and a value is tried
	if testing.Short() {
		every = 12
	}
	for _, s := range subjects() {
		c := s.connect(t)
		for name, ask := range calls {
			good, err := ask(t.Context(), c)
			if err != nil {
				continue // the provider has nothing of this kind
			}
			known := amountsOf(good)
			for n, field := range c.fields(t, ask) {
				for m, value := range hostile {
					if (n+m)%every != 0 {
						continue
					}
					got, err := c.withValue(t.Context(), field, value, ask)

					what := fmt.Sprintf("%s, %s, %s as %.40s", c.kind.Title, name, field, value)
					if err != nil {
						c.checkFailure(t, what, err)
						continue
					}
					for amount := range amountsOf(got) {
						if !known[amount] {
							t.Errorf("%s: the amount %d came from nowhere", what, amount)
						}
					}
					for _, text := range textsOf(got) {
						c.checkText(t, what, text)
					}
				}
			}
			c.checkIntact(t, good, ask)
		}
	}
}

// amountsOf returns the amounts in what a provider said.
func amountsOf(said any) map[int64]bool {
	amounts := map[int64]bool{}
	add := func(b *providers.Balance) {
		if b != nil {
			amounts[b.CurrentMinor], amounts[b.AvailableMinor] = true, true
		}
	}
	switch said := said.(type) {
	case providers.Balance:
		add(&said)
	case providers.Listing:
		for _, a := range said.Accounts {
			add(a.Balance)
		}
	case providers.Reading:
		for _, s := range said.Statements {
			add(s.Present)
			if s.Closing != nil {
				amounts[s.Closing.Minor] = true
			}
			for _, l := range s.Lines {
				amounts[l.Minor] = true
			}
		}
		if said.Invoices != nil {
			for _, i := range slices.Concat(said.Invoices.Open, said.Invoices.Paid) {
				amounts[i.Minor], amounts[i.TotalMinor] = true, true
			}
		}
	}
	return amounts
}

// textsOf returns the texts in what a provider said that the user sees as they are.
func textsOf(said any) (texts []string) {
	switch said := said.(type) {
	case providers.Listing:
		texts = slices.Clone(said.Notices)
		for _, a := range said.Accounts {
			texts = append(texts, a.Refused, a.Name, a.Number, a.Bank)
		}
	case providers.Reading:
		texts = slices.Clone(said.Notices)
		for _, s := range said.Statements {
			texts = append(texts, s.Incomplete)
		}
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// field is a place in the answers to a request: the names of fields, and [] for the elements of a
// list.
type field struct{ path, name string }

func (f field) String() string { return f.path + f.name }

// rewritten passes requests to a service and changes its JSON.
func rewritten(service http.Handler, change func(path string, answer any) any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		service.ServeHTTP(recorded, r)
		body := recorded.Body.Bytes()
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		var answer any
		if decoder.Decode(&answer) == nil {
			body, _ = json.Marshal(change(r.URL.Path, answer))
		}
		maps.Copy(w.Header(), recorded.Header())
		w.WriteHeader(recorded.Code)
		_, _ = w.Write(body)
	})
}

// fields returns all fields of the answers to a call.
func (c *connected) fields(t *testing.T, ask call) (all []field) {
	t.Helper()
	c.answer(rewritten(c.fake, func(path string, answer any) any {
		eachValue(answer, "", func(name string, _ any) (any, bool) {
			if f := (field{path, name}); !slices.Contains(all, f) {
				all = append(all, f)
			}
			return nil, false
		})
		return answer
	}))
	defer c.answer(c.fake)
	if _, err := ask(t.Context(), c); err != nil || len(all) == 0 {
		t.Fatalf("%d fields, %v", len(all), err)
	}
	return all
}

// withValue calls the provider while the first value of a field is another one.
func (c *connected) withValue(ctx context.Context, f field, value string, ask call) (any, error) {
	other := json.RawMessage(value)
	c.answer(rewritten(c.fake, func(path string, answer any) any {
		if path != f.path {
			return answer
		}
		done := false
		return eachValue(answer, "", func(name string, _ any) (any, bool) {
			replace := !done && name == f.name
			done = done || replace
			return other, replace
		})
	}))
	defer c.answer(c.fake)
	return ask(ctx, c)
}

// eachValue calls visit with each value within value, and replaces those for which visit says so.
func eachValue(value any, name string, visit func(name string, value any) (any, bool)) any {
	if other, replace := visit(name, value); replace {
		return other
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			value[key] = eachValue(value[key], name+"."+key, visit)
		}
	case []any:
		for n := range value {
			value[n] = eachValue(value[n], name+"[]", visit)
		}
	}
	return value
}
