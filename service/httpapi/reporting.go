package httpapi

import (
	"errors"
	"net/http"
	"strings"

	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// reportingCurrency is the preference with which a client asks for figures in the currency in which
// the organization reports (RFC 7240; docs/api.md, Reporting currency).
const reportingCurrency = "reporting-currency"

// inReporting returns a handler that calls handle with the currency of the answer: the
// organization's reporting currency if the client prefers it, and otherwise "", which is the US
// dollar.
func inReporting(handle func(c *call, currency string) (any, error)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		currency := ""
		if c.credential.Reporting != bookrules.USD && prefers(c.r.Header.Values("Prefer"), reportingCurrency) {
			currency = c.credential.Reporting
		}
		response, err := handle(c, currency)
		// The currency may have changed since the credential was read.
		for range maxCurrencies {
			if !errors.Is(err, store.ErrOtherCurrency) {
				break
			}
			if currency, err = c.currentCurrency(); err == nil {
				response, err = handle(c, currency)
			}
		}
		if err != nil || currency == "" {
			return response, err
		}
		return withPreference(response, reportingCurrency), nil
	}
}

// maxCurrencies is how often an answer is made again because the currency has changed meanwhile.
const maxCurrencies = 3

// currentCurrency returns the currency in which the organization reports; "" for the US dollar.
func (c *call) currentCurrency() (currency string, err error) {
	err = c.api.Store.Read(c.ctx, func(snap *store.Snapshot) error {
		reporting, err := snap.ReportingCurrency(c.credential.Org)
		if currency = reporting.Code; currency == bookrules.USD {
			currency = ""
		}
		return err
	})
	return currency, err
}

// prefers reports whether the values of the header Prefer have a preference without a value.
func prefers(values []string, preference string) bool {
	for _, value := range values {
		for one := range strings.SplitSeq(value, ",") {
			name, _, _ := strings.Cut(one, ";")
			name, given, _ := strings.Cut(name, "=")
			if strings.EqualFold(strings.TrimSpace(name), preference) && strings.Trim(given, " \t\"") == "" {
				return true
			}
		}
	}
	return false
}

const preferenceApplied = "Preference-Applied"

// withPreference returns a response that names a preference that it follows.
func withPreference(response any, preference string) customResponse {
	r, ok := response.(customResponse)
	if !ok {
		r = customResponse{status: http.StatusOK, body: response}
	}
	for i, h := range r.header {
		if h[0] == preferenceApplied {
			r.header[i][1] += ", " + preference
			return r
		}
	}
	r.header = append(r.header, [2]string{preferenceApplied, preference})
	return r
}
