package endpoint

import (
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/service/events"
	service "tarmac/service/webhooks"
)

var urls = []string{
	"https://example.com", "https://example.com:8443/in?a=b", "https://example.com:22", "http://example.com", "",
	"https://", "https://user:pass@example.com", "https://example.com/#x", "https://example.com:",
	"https://exa mple.com", "https://exämple.com", "https://[::1]:443/", "https://example.com:port",
	`https://example.com\@other`, "HTTPS://EXAMPLE.COM", "https://example.com/%zz",
	"https://example.com/" + strings.Repeat("x", 2048), "//example.com", "https:example.com", "https://%41.com",
}

func TestAURLIsJudgedAsTheServiceDoes(t *testing.T) {
	for _, raw := range urls {
		sameJudgement(t, raw)
	}
}

func FuzzAURLIsJudgedAsTheServiceDoes(f *testing.F) {
	for _, raw := range urls {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) { sameJudgement(t, raw) })
}

func sameJudgement(t *testing.T, raw string) {
	t.Helper()
	_, want := service.CheckURL(raw)
	if got := CheckURL(raw); (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
		t.Errorf("%q: %v, while the service says: %v", raw, got, want)
	}
}

func TestEveryEventTypeOfTheServiceCanBeChosen(t *testing.T) {
	offered := map[string]bool{string(apiclient.EventTest): true}
	for _, c := range Types() {
		offered[string(c.Name)] = true
	}
	for _, kind := range events.Types {
		if !offered[string(kind)] {
			t.Errorf("%s cannot be chosen", kind)
		}
	}
	if _, err := service.ParseTypes(nil); err == nil {
		t.Errorf("the service takes an endpoint without types, of which the form says: %v", ErrNoTypes)
	}
}

func TestEndpointsOfOneHostAreNamedWithTheirPaths(t *testing.T) {
	all := []apiclient.Webhook{
		{ID: "wh_1", URL: "https://a.example/up?key=1"}, {ID: "wh_2", URL: "https://a.example/down"},
		{ID: "wh_3", URL: "https://b.example/in"}, {ID: "wh_4"}, {ID: "wh_5"},
	}
	want := []string{"a.example/up", "a.example/down", "b.example", "the endpoint", "the endpoint"}

	for i := range all {
		if got := Name(&all[i], all); got != want[i] {
			t.Errorf("%s is named %q, want %q", all[i].URL, got, want[i])
		}
	}
}
