package histories

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Receiver is an HTTPS server that acknowledges all deliveries and records their signatures.
type Receiver struct {
	server *httptest.Server

	mu         sync.Mutex
	deliveries []delivery
}

type delivery struct {
	at        time.Time // when it arrived
	event     string
	signature string
	body      []byte
}

// NewReceiver starts a receiver that ends with the test.
func NewReceiver(t testing.TB) *Receiver {
	r := &Receiver{}
	r.server = httptest.NewUnstartedServer(http.HandlerFunc(r.receive))
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.server.StartTLS()
	t.Cleanup(r.server.Close)
	return r
}

// URL returns the receiver's URL, without a slash at its end.
func (r *Receiver) URL() string { return r.server.URL }

// Address returns HOST:PORT.
func (r *Receiver) Address() string { return r.server.Listener.Addr().String() }

// RootCAs returns the authority of the receiver's certificate.
func (r *Receiver) RootCAs() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(r.server.Certificate())
	return pool
}

// PEM returns the certificate of that authority.
func (r *Receiver) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw})
}

func (r *Receiver) receive(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	d := delivery{at: time.Now(), event: req.Header.Get("X-Service-Event-Id"),
		signature: req.Header.Get("X-Service-Signature"), body: body}
	r.mu.Lock()
	r.deliveries = append(r.deliveries, d)
	r.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func (r *Receiver) arrived() []delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.deliveries[:len(r.deliveries):len(r.deliveries)]
}

// signedBy returns which of the secrets signed the delivery. A signature by none of them is "?".
func (d delivery) signedBy(secrets []string) (pair secretPair) {
	fields := strings.Split(d.signature, ",")
	for n, field := range fields[1:] {
		signer := "?"
		for _, secret := range secrets {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write([]byte(strings.TrimPrefix(fields[0], "t=") + "."))
			mac.Write(d.body)
			if "v1="+hex.EncodeToString(mac.Sum(nil)) == field {
				signer = secret
			}
		}
		if n == 0 {
			pair.current = signer
		} else {
			pair.previous = signer
		}
	}
	return pair
}
