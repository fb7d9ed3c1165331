package apiclient_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"tarmac/apiclient"
)

const reportingPing = `{"org_id":"org_1","reporting_currency":CURRENCY}`

// figuresIn has the reads whose figures are in the reporting currency. CURRENCY stands for the
// currency in a body. The figure in US dollars is 1000 and the one in the reporting currency 1500,
// unless the same member has both: it is 1500.
var figuresIn = map[string]struct {
	body    string
	field   string // with the currency
	dollars string // the figure without the preference
	figure  func(context.Context, *apiclient.Client) (apiclient.Amount, error)
}{
	"account": {
		strings.Replace(strings.Replace(accountJSON, `"new":1`, `"currency":CURRENCY`, 1), `cents":1,`, `cents":1500,`, 1),
		"currency", "$15.00",
		func(ctx context.Context, c *apiclient.Client) (apiclient.Amount, error) {
			a, err := c.Account(ctx)
			if err != nil {
				return apiclient.Amount{}, err
			}
			return apiclient.NewAmount(a.Balance.AvailableCents, a.Currency), nil
		},
	},
	"cash position": {
		`{"currency":CURRENCY,` + strings.Replace(cashJSON, `"cash_cents":100`, `"cash_cents":1500`, 1)[1:],
		"currency", "$15.00",
		func(ctx context.Context, c *apiclient.Client) (apiclient.Amount, error) {
			p, err := c.CashPosition(ctx)
			if err != nil {
				return apiclient.Amount{}, err
			}
			return apiclient.NewAmount(p.CashCents, p.Currency), nil
		},
	},
	"aging": {
		strings.Replace(strings.Replace(agingJSON, `"USD"`, `CURRENCY`, 1), `current_cents":1,`, `current_cents":1500,`, 1),
		"currency", "$15.00",
		func(ctx context.Context, c *apiclient.Client) (apiclient.Amount, error) {
			a, err := c.ReceivablesAging(ctx)
			if err != nil {
				return apiclient.Amount{}, err
			}
			return apiclient.NewAmount(a.Buckets.CurrentCents, a.Currency), nil
		},
	},
	"imported invoice": {
		strings.Replace(agingJSON, `"currency":"USD"`, `"currency":CURRENCY,"imported":{"lists":[],"invoices":[
			{"number":"7","currency":"SEK","open_minor":9,"usd_cents":1000,"reporting_cents":1500}]}`, 1),
		"currency", "$10.00",
		func(ctx context.Context, c *apiclient.Client) (apiclient.Amount, error) {
			a, err := c.ReceivablesAging(ctx)
			if err != nil {
				return apiclient.Amount{}, err
			}
			return a.Imported.Invoices[0].Reporting, nil
		},
	},
	"totals": {
		reportingPage, "summary.currency", "$10.00",
		func(ctx context.Context, c *apiclient.Client) (apiclient.Amount, error) {
			page, err := c.TransactionPage(ctx, apiclient.TransactionQuery{})
			if err != nil {
				return apiclient.Amount{}, err
			}
			return apiclient.NewAmount(page.Summary.InflowMinor, page.Summary.Currency), nil
		},
	},
	"row": {
		reportingPage, "summary.currency", "$10.00",
		func(ctx context.Context, c *apiclient.Client) (apiclient.Amount, error) {
			page, err := c.TransactionPage(ctx, apiclient.TransactionQuery{})
			if err != nil {
				return apiclient.Amount{}, err
			}
			return page.Data[0].Reporting, nil
		},
	},
	"transaction": {
		reportingOne, "reporting_currency", "$10.00",
		func(ctx context.Context, c *apiclient.Client) (apiclient.Amount, error) {
			row, err := c.Transaction(ctx, "txn_1")
			if err != nil {
				return apiclient.Amount{}, err
			}
			return row.Reporting, nil
		},
	},
	"ping": {
		reportingPing, "reporting_currency", "$15.00",
		func(ctx context.Context, c *apiclient.Client) (apiclient.Amount, error) {
			ping, err := c.Ping(ctx)
			if err != nil {
				return apiclient.Amount{}, err
			}
			return apiclient.NewAmount(1500, ping.ReportingCurrency), nil
		},
	},
}

var (
	reportingRow = strings.Replace(transactionJSON, `"usd_known":true`,
		`"usd_known":true,"reporting_cents":1500,"reporting_known":true`, 1)
	reportingOne  = strings.TrimSuffix(reportingRow, "}") + `,"reporting_currency":CURRENCY}`
	reportingPage = `{"data":[` + reportingRow + `],"next_cursor":"","summary":{"currency":CURRENCY,"count":1,` +
		`"inflow_usd_cents":1000,"outflow_usd_cents":0,"net_usd_cents":1000,` +
		`"inflow_cents":1500,"outflow_cents":0,"net_cents":1500,"unconverted_count":0}}`
)

// reporting serves a body. Applied has the values of the
// header Preference-Applied.
func reporting(t *testing.T, body, currency string, applied []string) *apiclient.Client {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Prefer"); got != "reporting-currency, imported-invoices, tarmac-extension" {
			t.Errorf("%s prefers %q", r.URL.Path, got)
		}
		for _, value := range applied {
			w.Header().Add("Preference-Applied", value)
		}
		answer(w, http.StatusOK, strings.ReplaceAll(body, "CURRENCY", currency))
	})
	return client
}

func TestOnlyTheResponseHeaderSaysThatFiguresAreInTheReportingCurrency(t *testing.T) {
	for name, op := range figuresIn {
		for _, c := range []struct {
			applied  []string
			currency string
			want     string
		}{
			{nil, `"EUR"`, op.dollars},
			{nil, `5`, op.dollars},
			{nil, `{"code":"EUR"}`, op.dollars},
			{[]string{"imported-invoices"}, `"EUR"`, op.dollars},
			{[]string{"xreporting-currency, reporting"}, `"EUR"`, op.dollars},
			{[]string{"reporting-currency"}, `"EUR"`, "€15.00"},
			{[]string{"Reporting-CURRENCY"}, `"CHF"`, "15.00 CHF"},
			{[]string{"imported-invoices , reporting-currency"}, `"JPY"`, "¥1,500"},
			{[]string{"imported-invoices", "reporting-currency"}, `"KWD"`, "1.500 KWD"},
		} {
			got, err := op.figure(t.Context(), reporting(t, op.body, c.currency, c.applied))
			if err != nil || got.String() != c.want {
				t.Errorf("%s, %q with %s: %v, %v; want %s", name, c.applied, c.currency, got, err, c.want)
			}
		}
	}
}

func TestFiguresWithoutAValidCurrencyAreRefused(t *testing.T) {
	for name, op := range figuresIn {
		for _, currency := range []string{`null`, `5`, `"EURO"`, `"eur"`, `""`, `"E R"`} {
			got, err := op.figure(t.Context(), reporting(t, op.body, currency, []string{"reporting-currency"}))
			refused, ok := errors.AsType[*apiclient.ContractError](err)
			if !ok || refused.Field != op.field {
				t.Errorf("%s with %s: %v, %v", name, currency, got, err)
			}
		}
		missing := strings.Replace(op.body, `"`+op.field[strings.Index(op.field, ".")+1:]+`":CURRENCY`, `"x":"EUR"`, 1)
		_, err := op.figure(t.Context(), reporting(t, missing, "", []string{"reporting-currency"}))
		if refused, ok := errors.AsType[*apiclient.ContractError](err); !ok || refused.Field != op.field {
			t.Errorf("%s without a currency: %v", name, err)
		}
	}
}

func TestOnlyReadsOfJSONPrefer(t *testing.T) {
	for name, operation := range written {
		sent := 0
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			sent++
			reads := r.Method == http.MethodGet && r.Header.Get("Accept") == "application/json"
			if preferred := len(r.Header.Values("Prefer")) > 0; preferred != reads {
				t.Errorf("%s: %s that accepts %q prefers %q", name, r.Method, r.Header.Get("Accept"), r.Header["Prefer"])
			}
			answer(w, http.StatusNotFound, `{}`)
		})
		if _, err := operation.call(t.Context(), client); err == nil || sent == 0 {
			t.Errorf("%s: %d requests, %v", name, sent, err)
		}
	}
}
