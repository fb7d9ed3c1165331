package apiclient_test

import (
	"testing"

	"tarmac/apiclient"
)

func TestTheOriginIsOneForEveryWayToWriteIt(t *testing.T) {
	for base, want := range map[string]string{
		"https://Finance.example.com/tenant/a": "https://finance.example.com",
		"https://finance.example.com:443":      "https://finance.example.com",
		"https://finance.example.com:8443/":    "https://finance.example.com:8443",
		"http://127.0.0.1:80/api/ext/v1":       "http://127.0.0.1",
		"http://[::1]:8080":                    "http://[::1]:8080",
	} {
		client, err := apiclient.New(base, apiclient.Token(secret))
		if err != nil {
			t.Fatal(err)
		}
		if got := client.Origin(); got != want {
			t.Errorf("%s is of %s, not %s", base, got, want)
		}
	}
}

func TestAGivenOriginReplacesTheAddress(t *testing.T) {
	client, err := apiclient.New("http://127.0.0.1:41234", "token", apiclient.WithOrigin("local"))
	if err != nil {
		t.Fatal(err)
	}

	if got := client.Origin(); got != "local" {
		t.Errorf("the origin is %q", got)
	}
}
