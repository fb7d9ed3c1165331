package stripe_test

import (
	"net/http"
	"strings"
	"testing"

	"tarmac/service/providers"
)

// whole is an invoice with all required fields.
const whole = `"id":"in_1","number":"A-1","status":"open","created":1760000000,"currency":"usd","total":100,` +
	`"amount_paid":0,"amount_remaining":100,"livemode":true,"status_transitions":{"finalized_at":null,"paid_at":null}`

// with returns the whole invoice with one field in another form. Without a form, the field is
// missing.
func with(t *testing.T, field, form string) string {
	t.Helper()
	start := strings.Index(whole, `"`+field+`":`)
	if start < 0 {
		return whole + `,"` + field + `":` + form
	}
	end := start + len(field) + len(`"":`)
	if whole[end] == '{' {
		end += strings.Index(whole[end:], "}") + 1
	} else if comma := strings.IndexByte(whole[end:], ','); comma >= 0 {
		end += comma
	}
	rest := strings.TrimPrefix(whole[end:], ",")
	if form == "" {
		return strings.TrimSuffix(whole[:start]+rest, ",")
	}
	return whole[:start] + `"` + field + `":` + form + "," + rest
}

// answerTo reads a list of open invoices with the given body.
func answerTo(t *testing.T, body string) (providers.Reading, error) {
	t.Helper()
	s := newServer(t)
	p := s.connect(t)
	s.answer = func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, body) }
	return p.Read(t.Context(), providers.Request{Now: now})
}

func list(invoices string) string { return `{"data":[` + invoices + `],"has_more":false}` }

func TestAWholeAnswerIsTaken(t *testing.T) {
	reading, err := answerTo(t, list("{"+whole+`,"customer":{"id":"cus_9"},"later":[{}]}`))

	if err != nil || len(reading.Invoices.Open) != 1 || reading.Invoices.Open[0].Party != "cus_9" {
		t.Errorf("read %+v, %v", reading.Invoices, err)
	}
}

func TestAnAnswerOfAnotherShapeIsRefusedWithTheField(t *testing.T) {
	for _, test := range []struct{ field, form, want string }{
		{"id", "", `"data.id" is missing`},
		{"status", "", `"data.status" is missing`},
		{"created", "", `"data.created" is missing`},
		{"currency", "null", `"data.currency" is missing`},
		{"total", "null", `"data.total" is missing`},
		{"amount_paid", "", `"data.amount_paid" is missing`},
		{"amount_remaining", "", `"data.amount_remaining" is missing`},
		{"livemode", "", `"data.livemode" is missing`},
		{"status_transitions", "", `"data.status_transitions" is missing`},
		{"total", "10.5", `"data.total"`},
		{"total", "1e2", `"data.total"`},
		{"total", `"100"`, `"data.total"`},
		{"total", "9223372036854775808", `"data.total"`},
		{"amount_remaining", "-1", "below zero"},
		{"id", `"in_1/../../charges"`, "is no id"},
		{"status", `"paid"`, `list of open invoices is "paid"`},
		{"status", `"draft"`, `list of open invoices is "draft"`},
		{"livemode", "false", "test data"},
		{"created", "1760000000000", "is no date"},
		{"due_date", "-1", "is no date"},
		{"customer", "7", "customer"},
	} {
		_, err := answerTo(t, list("{"+with(t, test.field, test.form)+"}"))

		failure := failureOf(t, err)
		if failure.Cause != providers.Malformed || !strings.Contains(failure.Text, test.want) {
			t.Errorf("%s %s: %+v", test.field, test.form, failure)
		}
	}
}

func TestAListThatIsNoneIsRefused(t *testing.T) {
	for body, want := range map[string]string{
		`{"has_more":false}`:                         `"data" is missing`,
		`{"data":[]}`:                                `"has_more" is missing`,
		`{"data":{},"has_more":false}`:               `"data"`,
		`[]`:                                         "not as documented",
		`{"data":[],"has_more":true}`:                "empty page before its end",
		list("{" + whole + "},{" + whole + "}"):      "the same invoice twice",
		`{"data":[{` + whole + `}],"has_more":true}`: "the same invoice twice", // the same page for ever
	} {
		_, err := answerTo(t, body)

		failure := failureOf(t, err)
		if failure.Cause != providers.Malformed || !strings.Contains(failure.Text, want) {
			t.Errorf("%.60s: %+v", body, failure)
		}
	}
}

func TestAPaidInvoiceWithoutItsDayOrWithAnotherIDIsRefused(t *testing.T) {
	paid := strings.Replace(whole, `"open"`, `"paid"`, 1)
	for answer, want := range map[string]string{
		paid:                                     `"status_transitions.paid_at" is missing`,
		strings.Replace(paid, "in_1", "in_2", 1): "another invoice",
		strings.Replace(whole, `"open"`, `"paused"`, 1):                    `is "paused"`,
		strings.Replace(paid, `"paid_at":null`, `"paid_at":-5`, 1):         "is no date",
		strings.Replace(paid, `"livemode":true`, `"livemode":false`, 1):    "test data",
		strings.Replace(paid, `"amount_paid":0`, `"amount_paid":0.5`, 1):   "amount_paid",
		strings.Replace(paid, `"amount_paid":0`, `"amount_paid":null`, 1):  "amount_paid",
		strings.Replace(paid, `"status_transitions":{`, `"other":{`, 1):    "status_transitions",
		strings.Replace(paid, `"currency":"usd"`, `"currency":["usd"]`, 1): "currency",
	} {
		s := newServer(t)
		p := s.connect(t)
		s.answer = func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/in_1") {
				respond(w, http.StatusOK, "{"+answer+"}")
				return
			}
			s.ServeHTTP(w, r)
		}

		_, err := p.Read(t.Context(), providers.Request{Invoices: []string{"in_1"}, Now: now})

		failure := failureOf(t, err)
		if failure.Cause != providers.Malformed || !strings.Contains(failure.Text, want) {
			t.Errorf("%s: %+v, want %q", answer, failure, want)
		}
	}
}
