package simplefin

import (
	"encoding/base64"
	"errors"
	"testing"

	"tarmac/service/providers/wire"
)

func TestATokenThatLeadsToAPrivateAddressIsRefusedWithTheReason(t *testing.T) {
	for url, want := range map[string]error{
		"http://127.0.0.1:8080/claim/x": errPrivate, "https://localhost/claim/x": errPrivate,
		"https://[::1]/claim/x": errPrivate, "https://10.1.2.3/claim/x": errPrivate,
		"http://bridge.example.com/claim/x": errInsecure, "https://bridge.example.com:8443/claim/x": errInsecure,
		"https://bridge.example.com/claim/x": nil,
	} {
		err := checkToken(wire.NewSecret(base64.StdEncoding.EncodeToString([]byte(url))))

		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", url, err, want)
		}
	}
}
