package webhooks_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tarmac/service/events"
	"tarmac/service/webhooks"
)

var urls = map[string]error{
	"https://hooks.example.com":                              nil,
	"https://hooks.example.com/":                             nil,
	"HTTPS://Hooks.Example.com:8443/a/b?c=d&e=%20":           nil,
	"https://127.0.0.1:9443/x":                               nil, // only the form is checked
	"https://[2606:4700::1111]/":                             nil,
	"https://hooks.example.com/a:b@c":                        nil,
	"https://xn--bcher-kva.example.com/":                     nil,
	"https://hooks.example.com/" + strings.Repeat("a", 2022): nil,
	"https://hooks.example.com/" + strings.Repeat("a", 2023): webhooks.ErrLength,
	"":                                       webhooks.ErrNotHTTPS,
	"http://hooks.example.com/":              webhooks.ErrNotHTTPS,
	"hooks.example.com":                      webhooks.ErrNotHTTPS,
	"//hooks.example.com/":                   webhooks.ErrNotHTTPS,
	"/x":                                     webhooks.ErrNotHTTPS,
	"https:hooks.example.com":                webhooks.ErrNotHTTPS,
	"https:/hooks.example.com":               webhooks.ErrNotHTTPS,
	"https:///hooks.example.com":             webhooks.ErrNotHTTPS,
	"https://":                               webhooks.ErrNotHTTPS,
	"https://:443/":                          webhooks.ErrNotHTTPS,
	"https://[8.8.8.8]/":                     webhooks.ErrNotHTTPS,
	"https://::1/":                           webhooks.ErrNotHTTPS,
	"https://2606:4700::1111/":               webhooks.ErrNotHTTPS,
	"https://[]/":                            webhooks.ErrNotHTTPS,
	"https://hooks.example.com:x/":           webhooks.ErrNotHTTPS,
	"https://hooks.example.com:-1/":          webhooks.ErrNotHTTPS,
	"https://[::1/":                          webhooks.ErrNotHTTPS,
	"https://hooks.example.com/%zz":          webhooks.ErrNotHTTPS,
	"https://%6c%6fcalhost/":                 webhooks.ErrNotHTTPS,
	"ftp://hooks.example.com/":               webhooks.ErrNotHTTPS,
	"file:///etc/passwd":                     webhooks.ErrNotHTTPS,
	"javascript:alert(1)":                    webhooks.ErrNotHTTPS,
	"https://user@hooks.example.com/":        webhooks.ErrUserInfo,
	"https://user:secret@hooks.example.com/": webhooks.ErrUserInfo,
	"https://@hooks.example.com/":            webhooks.ErrUserInfo,
	"https://hooks.example.com@127.0.0.1/":   webhooks.ErrUserInfo,
	"https://hooks.example.com:/":            webhooks.ErrPort,
	"https://hooks.example.com/#part":        webhooks.ErrFragment,
	"https://hooks.example.com/#":            webhooks.ErrFragment,
	"https://hooks.example.com#@127.0.0.1/":  webhooks.ErrFragment,
	" https://hooks.example.com/":            webhooks.ErrCharacters,
	"https://hooks.example.com/a b":          webhooks.ErrCharacters,
	"https://hooks.example.com/\n":           webhooks.ErrCharacters,
	"https://hooks.example.com\\@127.0.0.1/": webhooks.ErrCharacters,
	"https://bücher.example.com/":            webhooks.ErrCharacters,
	"https://１２７.0.0.1/":                     webhooks.ErrCharacters,
	"https://hooks。example.com/":             webhooks.ErrCharacters,
	"https://hooks.example.com/\xff":         webhooks.ErrCharacters,
	"https://hooks.example.com/\x00":         webhooks.ErrCharacters,
	"https://hooks.example.com/é":            webhooks.ErrCharacters,
}

func TestCheckURLNamesTheRuleThatAURLBreaks(t *testing.T) {
	for raw, want := range urls {
		u, err := webhooks.CheckURL(raw)
		if !errors.Is(err, want) || (err == nil) != (u != nil) {
			t.Errorf("%q: %v, want %v", raw, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v repeats what was given", raw, err)
		}
	}
	texts := webhooks.ErrNotHTTPS.Error() + "; " + webhooks.ErrNotPublic.Error()
	if texts != "url must be an https URL; url must be publicly routable" {
		t.Errorf("not the texts of the API: %s", texts)
	}
}

// An accepted URL is stored as given, and net/http reads the same host in it.
func FuzzCheckURL(f *testing.F) {
	for raw := range urls {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := webhooks.CheckURL(raw)
		if err != nil {
			return
		}
		used, err := http.NewRequest(http.MethodPost, raw, nil)
		if err != nil {
			t.Fatalf("%q was accepted and cannot be used: %v", raw, err)
		}
		if used.URL.Host != u.Host || used.URL.Scheme != "https" || u.Hostname() == "" || used.URL.User != nil {
			t.Fatalf("%q: %q was checked and %q is used", raw, u, used.URL)
		}
		again, err := webhooks.CheckURL(u.String())
		if len(u.String()) <= webhooks.MaxURL && (err != nil || again.Host != u.Host) {
			t.Fatalf("%q is written %q, which is %v, %v", raw, u, again, err)
		}
	})
}

func TestEventTypesAreParsedOnceEachInTheirOrder(t *testing.T) {
	got, err := webhooks.ParseTypes([]string{"payment.failed", "invoice.paid", "payment.failed", "test.event"})
	if want := []events.Type{"payment.failed", "invoice.paid", "test.event"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, name := range []string{
		"*", "", "invoice.*", "Invoice.paid", " invoice.paid", "invoice.refunded", "svc_whsec_x",
	} {
		_, err := webhooks.ParseTypes([]string{"invoice.paid", name})
		unknown, ok := errors.AsType[*webhooks.UnknownTypeError](err)
		if !ok || unknown.Name != name || err.Error() != "unknown event type" {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, none := range [][]string{nil, {}} {
		if got, err := webhooks.ParseTypes(none); err == nil ||
			err.Error() != "event_types must name at least one event type" {
			t.Errorf("none: %v, %v", got, err)
		}
	}
}
