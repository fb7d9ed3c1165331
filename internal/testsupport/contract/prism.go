package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Environment variables by which .ci/prism makes Prism, a validator of its own in another language,
// check all exchanges as well. The first one is the URL of Prism's proxy, and the second one is the
// address to which it forwards requests.
const (
	prismVariable    = "TARMAC_PRISM"
	upstreamVariable = "TARMAC_PRISM_UPSTREAM"
)

// exchangeHeader is the header with the number of an exchange. Prism forwards it.
const exchangeHeader = "X-Test-Exchange"

// plainPath matches the paths of refused requests that Prism gets.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9_/-]{1,200}$`)

// prism is Prism's proxy and the server behind it. That server answers each request with the
// response that the service has already given to it. No request therefore reaches a service twice.
type prism struct {
	url     string
	last    atomic.Uint64
	pending sync.Map // exchanges by their number as text
}

// startPrism returns nil unless .ci/prism runs the tests. It is called once in a process.
var startPrism = sync.OnceValues(func() (*prism, error) {
	url, upstream := os.Getenv(prismVariable), os.Getenv(upstreamVariable)
	if url == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", upstream)
	if err != nil {
		return nil, fmt.Errorf("the server behind Prism: %w", err)
	}
	p := &prism{url: strings.TrimSuffix(url, "/")}
	go func() { _ = http.Serve(listener, p) }() // runs until the process ends
	return p, nil
})

// ServeHTTP answers with the response of the exchange that the request names.
func (p *prism) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, known := p.pending.Load(r.Header.Get(exchangeHeader))
	if !known {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	x := found.(exchange)
	for name, values := range x.header {
		w.Header()[name] = values
	}
	w.WriteHeader(x.status)
	_, _ = w.Write(x.body)
}

// violation is a finding of Prism.
type violation struct {
	Location []string `json:"location"` // "request" or "response", and a path in it
	Severity string   `json:"severity"`
	Message  string   `json:"message"`
}

// check returns an error if the response of an exchange violates the contract according to Prism,
// or if the service has accepted a request that violates it.
func (p *prism) check(x exchange) error {
	number := strconv.FormatUint(p.last.Add(1), 10)
	p.pending.Store(number, x)
	defer p.pending.Delete(number)
	uri, sent := x.req.URL.RequestURI(), x.reqBody
	if x.status >= 300 {
		// What the service refuses may be hostile, and ends Prism.
		if uri, sent = x.req.URL.EscapedPath(), nil; !plainPath.MatchString(uri) {
			return nil
		}
	}
	req, err := http.NewRequest(x.req.Method, p.url+uri, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	req.Header = x.req.Header.Clone()
	req.Header.Del("Accept-Encoding")
	req.Header.Set("Authorization", "Bearer token") // Prism refuses other spellings of the scheme
	req.Header.Set(exchangeHeader, number)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("no answer of Prism: %w", err)
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("no answer of Prism: %w", err)
	}
	if resp.StatusCode != x.status {
		return fmt.Errorf("answer of Prism has status %d instead of %d: %.500s", resp.StatusCode, x.status, body)
	}
	return findings(x, resp.Header.Get("sl-violations"))
}

func findings(x exchange, header string) error {
	if header == "" {
		return nil
	}
	var all []violation
	if err := json.Unmarshal([]byte(header), &all); err != nil {
		return fmt.Errorf("findings of Prism cannot be read: %w", err)
	}
	for _, v := range all {
		refused := len(v.Location) > 0 && v.Location[0] == "request" && x.status >= 300
		if v.Severity == "Error" && !refused {
			return fmt.Errorf("finding of Prism: %s: %s", strings.Join(v.Location, "."), v.Message)
		}
	}
	return nil
}
