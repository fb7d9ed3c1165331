package stripe

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

// The states of invoices.
const (
	statusOpen          = "open"
	statusPaid          = "paid"
	statusVoid          = "void"
	statusUncollectible = "uncollectible"
)

// page is a page of a list of invoices.
type page struct {
	Data    *[]invoice `json:"data"`
	HasMore *bool      `json:"has_more"`
}

// invoice is an invoice at Stripe. Times are Unix seconds. Amounts are in Stripe's unit of the
// currency (exponentOf).
type invoice struct {
	ID           string    `json:"id"`
	Number       string    `json:"number"`
	Status       string    `json:"status"`
	Created      *int64    `json:"created"`
	Customer     reference `json:"customer"`
	CustomerName string    `json:"customer_name"`
	Email        string    `json:"customer_email"`
	Currency     string    `json:"currency"`
	Total        *int64    `json:"total"`
	Paid         *int64    `json:"amount_paid"`
	Remaining    *int64    `json:"amount_remaining"`
	Due          *int64    `json:"due_date"`
	Live         *bool     `json:"livemode"`
	Transitions  *struct {
		Finalized *int64 `json:"finalized_at"`
		Paid      *int64 `json:"paid_at"`
	} `json:"status_transitions"`
}

// reference is the id of an object. Stripe may send the object itself in its place.
type reference string

// UnmarshalJSON reads an id or an object with an id.
func (r *reference) UnmarshalJSON(data []byte) error {
	if data[0] == '{' {
		var object struct {
			ID string `json:"id"`
		}
		err := json.Unmarshal(data, &object)
		*r = reference(object.ID)
		return err
	}
	return json.Unmarshal(data, (*string)(r))
}

// maxID is the largest length of an id in bytes.
const maxID = 255

// check returns an error unless the page has all required fields.
func (p *page) check(live bool) error {
	switch {
	case p.Data == nil:
		return missing("data")
	case p.HasMore == nil:
		return missing("has_more")
	}
	for n := range *p.Data {
		if err := (*p.Data)[n].check("data.", live); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error unless the invoice has all required fields and is real, or is test data if
// live is false. The name of a field in the error begins with prefix.
func (i *invoice) check(prefix string, live bool) error {
	for _, field := range [...]struct {
		name  string
		known bool
	}{
		{"id", i.ID != ""}, {"status", i.Status != ""}, {"created", i.Created != nil}, {"currency", i.Currency != ""},
		{"total", i.Total != nil}, {"amount_paid", i.Paid != nil}, {"amount_remaining", i.Remaining != nil},
		{"livemode", i.Live != nil}, {"status_transitions", i.Transitions != nil},
	} {
		if !field.known {
			return missing(prefix + field.name)
		}
	}
	switch {
	case !isWord(i.ID) || len(i.ID) > maxID:
		return malformed("the field %q is no id", prefix+"id")
	case *i.Remaining < 0:
		return malformed("the field %q is below zero", prefix+"amount_remaining")
	case live && !*i.Live:
		return malformed("it answered with test data to a key for real data")
	case !live && *i.Live:
		return malformed("it answered with real data to a key for test data")
	}
	return nil
}

// item returns the invoice as an open item with an unpaid amount in Stripe's unit.
func (i *invoice) item(unpaid int64) (item providers.Invoice, err error) {
	item.ID, item.Number, item.Email = i.ID, i.name(), text(i.Email)
	item.Party = cmp.Or(text(i.CustomerName), item.Email, text(string(i.Customer)))
	var ok bool
	finalized := i.Transitions.Finalized
	if finalized == nil {
		finalized = i.Created
	}
	if item.Issued, ok = dayOf(*finalized); !ok {
		return item, malformed("the field %q is no date", "status_transitions.finalized_at")
	}
	if i.Due != nil {
		if item.Due, ok = dayOf(*i.Due); !ok {
			return item, malformed("the field %q is no date", "due_date")
		}
	}
	item.Currency = strings.ToUpper(i.Currency)
	if !bank.IsCurrency(item.Currency) {
		return item, amountError("its currency is unknown")
	}
	if item.Minor, err = minor(unpaid, item.Currency); err != nil {
		return item, err
	}
	item.TotalMinor, err = minor(*i.Total, item.Currency)
	return item, err
}

// name returns the number of the invoice; its id if it has none.
func (i *invoice) name() string { return cmp.Or(text(i.Number), i.ID) }

// maxText is the largest length of a text of an invoice in runes. Longer texts are cut.
const maxText = 300

// text returns a text of Stripe without control characters.
func text(hostile string) string {
	runes := []rune(bank.Text(hostile))
	return string(runes[:min(len(runes), maxText)])
}

// dayOf returns the day of Unix seconds in UTC. ok is false for years that no invoice can have.
func dayOf(seconds int64) (day civil.Date, ok bool) {
	const lastSecond = 1 << 34 // in the year 2514
	if seconds <= 0 || seconds > lastSecond {
		return civil.Date{}, false
	}
	t := time.Unix(seconds, 0).UTC()
	return bank.Day(t.Year(), int(t.Month()), t.Day())
}
