package webhook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"tarmac/apiclient"
	"tarmac/apiclient/webhook"
)

const (
	current  apiclient.Secret = "svc_whsec_4fQ9mX2cVb7Lr0TzKpYw3hNs8JdEa6Gu"
	previous apiclient.Secret = "svc_whsec_0000000000000000000000000000000a"
	stranger apiclient.Secret = "svc_whsec_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
)

var (
	body = []byte(
		`{"id":"evt_1","type":"invoice.paid","version":1,"occurred_at":"2026-11-20T12:00:00Z",` +
			`"data":{"invoice_id":"inv_1","number":"INV-1","status":"paid","total_cents":120,"currency":"USD"}}`,
	)
	signed = time.Unix(1795262400, 0)
	only   = []apiclient.Secret{current}
)

func at(t time.Time) webhook.Option { return webhook.WithNow(func() time.Time { return t }) }

// The test vectors come from openssl:
//
//	printf '%s.%s' "$t" "$body" | openssl dgst -sha256 -hmac "$secret"
func TestSignaturesAreThoseOfTheVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/signatures.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name, Secret, Body, V1 string
		T                      int64
	}
	if err := json.Unmarshal(raw, &vectors); err != nil || len(vectors) < 6 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for _, v := range vectors {
		moment, header := time.Unix(v.T, 0), "t="+strconv.FormatInt(v.T, 10)+",v1="+v.V1
		if got := webhook.Sign([]byte(v.Body), moment, apiclient.Secret(v.Secret)); got != header {
			t.Errorf("%s: signed %s, want %s", v.Name, got, header)
		}
		event, err := webhook.Verify([]byte(v.Body), header, []apiclient.Secret{apiclient.Secret(v.Secret)}, at(moment))
		if err != nil || event.ID == "" {
			t.Errorf("%s: %+v, %v", v.Name, event, err)
		}
		if _, err := webhook.Verify([]byte(v.Body), header, []apiclient.Secret{stranger}, at(moment)); !errors.Is(err,
			webhook.ErrNoMatch) {
			t.Errorf("%s: a stranger's secret: %v", v.Name, err)
		}
	}
}

func TestVerifyReturnsTheEvent(t *testing.T) {
	event, err := webhook.Verify(body, webhook.Sign(body, signed, current), only, at(signed))
	if err != nil || event.ID != "evt_1" || event.Type != apiclient.EventInvoicePaid {
		t.Fatalf("%+v, %v", event, err)
	}
	if data, ok := event.InvoiceData(); !ok || data.InvoiceID != "inv_1" {
		t.Errorf("%+v", data)
	}
}

func TestRotationAcceptsEitherSecret(t *testing.T) {
	both := webhook.Sign(body, signed, current, previous)
	for name, c := range map[string]struct {
		header  string
		secrets []apiclient.Secret
		want    error
	}{
		"two signatures, the new secret":      {both, []apiclient.Secret{current}, nil},
		"two signatures, the retiring secret": {both, []apiclient.Secret{previous}, nil},
		"two signatures, both secrets":        {both, []apiclient.Secret{previous, current}, nil},
		"two signatures, another secret":      {both, []apiclient.Secret{stranger}, webhook.ErrNoMatch},
		"the new signature, both secrets": {webhook.Sign(body, signed, current), []apiclient.Secret{previous, current},
			nil},
		"the retiring signature, both secrets": {webhook.Sign(body, signed, previous), []apiclient.Secret{current, previous},
			nil},
		"another signature, both secrets": {webhook.Sign(body, signed, stranger), []apiclient.Secret{current, previous},
			webhook.ErrNoMatch},
	} {
		if _, err := webhook.Verify(body, c.header, c.secrets, at(signed)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestTheToleranceHoldsBothWays(t *testing.T) {
	header := webhook.Sign(body, signed, current)
	for _, c := range []struct {
		off  time.Duration
		opts []webhook.Option
		want error
	}{
		{0, nil, nil}, {5 * time.Minute, nil, nil}, {-5 * time.Minute, nil, nil},
		{5*time.Minute + time.Nanosecond, nil, webhook.ErrStale}, {-5*time.Minute - time.Nanosecond, nil, webhook.ErrStale},
		{24 * time.Hour, nil, webhook.ErrStale}, {-24 * time.Hour, nil, webhook.ErrStale},
		{time.Second, []webhook.Option{webhook.WithTolerance(time.Second)}, nil},
		{2 * time.Second, []webhook.Option{webhook.WithTolerance(time.Second)}, webhook.ErrStale},
		{time.Hour, []webhook.Option{webhook.WithTolerance(time.Hour)}, nil},
	} {
		if _, err := webhook.Verify(body, header, only, append(c.opts, at(signed.Add(c.off)))...); !errors.Is(err, c.want) {
			t.Errorf("%v off: %v, want %v", c.off, err, c.want)
		}
	}
	// Times beyond the range of time.Duration are stale too.
	for _, t0 := range []int64{0, 99999999999} {
		if _, err := webhook.Verify(body, webhook.Sign(body, time.Unix(t0, 0), current), only, at(signed)); !errors.Is(err,
			webhook.ErrStale) {
			t.Errorf("t=%d: %v", t0, err)
		}
	}
}

func TestHeadersAreReadStrictly(t *testing.T) {
	good := webhook.Sign(body, signed, current)
	stamp, v1, _ := strings.Cut(good, ",")
	sum := strings.TrimPrefix(v1, "v1=")
	other, _ := strings.CutPrefix(webhook.Sign(body, signed, stranger), stamp+",")
	for name, c := range map[string]struct {
		header string
		want   error
	}{
		"as sent":                    {good, nil},
		"signature first":            {v1 + "," + stamp, nil},
		"an unknown scheme":          {good + ",v0=abc", nil},
		"an unknown scheme, base64":  {stamp + ",v2=YWJj==," + v1, nil},
		"another signature besides":  {stamp + "," + other + "," + v1, nil},
		"empty":                      {"", webhook.ErrNoSignature},
		"no v1":                      {stamp, webhook.ErrNoSignature},
		"unknown schemes alone":      {stamp + ",v0=" + sum, webhook.ErrNoSignature},
		"V1":                         {stamp + ",V1=" + sum, webhook.ErrNoSignature},
		"no t":                       {v1, webhook.ErrMalformed},
		"t twice":                    {stamp + "," + good, webhook.ErrMalformed},
		"t twice, another":           {"t=1," + good, webhook.ErrMalformed},
		"t empty":                    {"t=," + v1, webhook.ErrMalformed},
		"t no number":                {"t=now," + v1, webhook.ErrMalformed},
		"t negative":                 {"t=-1," + v1, webhook.ErrMalformed},
		"t with a plus":              {"t=+1795262400," + v1, webhook.ErrMalformed},
		"t with a zero before":       {"t=01795262400," + v1, webhook.ErrMalformed},
		"t with a fraction":          {"t=1795262400.0," + v1, webhook.ErrMalformed},
		"t in hex":                   {"t=0x6b01," + v1, webhook.ErrMalformed},
		"t with underscore":          {"t=1_795," + v1, webhook.ErrMalformed},
		"t too long":                 {"t=179526240000," + v1, webhook.ErrMalformed},
		"t beyond 64 bits":           {"t=99999999999999999999," + v1, webhook.ErrMalformed},
		"v1 empty":                   {stamp + ",v1=", webhook.ErrMalformed},
		"v1 empty beside a good one": {good + ",v1=", webhook.ErrMalformed},
		"v1 upper case":              {stamp + ",v1=" + strings.ToUpper(sum), webhook.ErrMalformed},
		"v1 short":                   {stamp + ",v1=" + sum[2:], webhook.ErrMalformed},
		"v1 odd":                     {stamp + ",v1=" + sum[1:], webhook.ErrMalformed},
		"v1 long":                    {stamp + ",v1=" + sum + "00", webhook.ErrMalformed},
		"v1 no hex":                  {stamp + ",v1=g" + sum[1:], webhook.ErrMalformed},
		"v1 twice in one":            {stamp + ",v1=v1=" + sum, webhook.ErrMalformed},
		"a blank after the comma":    {stamp + ", " + v1, webhook.ErrMalformed},
		"a blank before":             {" " + good, webhook.ErrMalformed},
		"a blank after":              {good + " ", webhook.ErrMalformed},
		"blanks around the sign":     {stamp + ",v1 = " + sum, webhook.ErrMalformed},
		"a tab":                      {stamp + ",\t" + v1, webhook.ErrMalformed},
		"a comma after":              {good + ",", webhook.ErrMalformed},
		"a comma alone":              {",", webhook.ErrMalformed},
		"no sign":                    {stamp + ",v1", webhook.ErrMalformed},
		"no scheme":                  {good + ",=x", webhook.ErrMalformed},
		"semicolons":                 {strings.ReplaceAll(good, ",", ";"), webhook.ErrMalformed},
		"an escape":                  {good + ",v0=\x1b[2J", webhook.ErrMalformed},
		"eight signatures":           {stamp + strings.Repeat(","+other, 7) + "," + v1, nil},
		"nine signatures":            {stamp + strings.Repeat(","+other, 8) + "," + v1, webhook.ErrMalformed},
		"too long":                   {good + ",v0=" + strings.Repeat("x", 4096), webhook.ErrMalformed},
	} {
		_, err := webhook.Verify(body, c.header, only, at(signed))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), sum) || strings.Contains(err.Error(), "\x1b")) {
			t.Errorf("%s: the error repeats the header: %q", name, err)
		}
	}
}

// Changing any signed byte breaks the signature.
func TestAChangedDeliveryDoesNotMatch(t *testing.T) {
	header := webhook.Sign(body, signed, current)
	for i := range body {
		changed := bytes.Clone(body)
		changed[i] ^= 1
		if _, err := webhook.Verify(changed, header, only, at(signed)); !errors.Is(err, webhook.ErrNoMatch) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	for name, c := range map[string][]byte{"longer": append(bytes.Clone(body), '\n'), "shorter": body[:len(body)-1],
		"empty": nil} {
		if _, err := webhook.Verify(c, header, only, at(signed)); !errors.Is(err, webhook.ErrNoMatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	later := strings.Replace(header, "t=1795262400", "t=1795262401", 1)
	if _, err := webhook.Verify(body, later, only, at(signed)); !errors.Is(err, webhook.ErrNoMatch) {
		t.Errorf("another time: %v", err)
	}
	moved := strings.Replace(header, "t=1795262400", "t=179526240", 1)
	if _, err := webhook.Verify(append([]byte("0."), body...), moved, only, at(signed)); !errors.Is(err,
		webhook.ErrNoMatch) {
		t.Errorf("a digit moved to the body: %v", err)
	}
}

func TestUnusableSecretsAndOptionsAreToldApart(t *testing.T) {
	empty := webhook.Sign(body, signed, "")
	for name, c := range map[string]struct {
		secrets []apiclient.Secret
		opts    []webhook.Option
	}{
		"no secrets":         {nil, nil},
		"an empty secret":    {[]apiclient.Secret{""}, nil},
		"one empty secret":   {[]apiclient.Secret{current, ""}, nil},
		"a bare prefix":      {[]apiclient.Secret{apiclient.SecretPrefix}, nil},
		"a token":            {[]apiclient.Secret{"svc_org_abc"}, nil},
		"no tolerance":       {only, []webhook.Option{webhook.WithTolerance(0)}},
		"negative tolerance": {only, []webhook.Option{webhook.WithTolerance(-time.Second)}},
		"no clock":           {only, []webhook.Option{webhook.WithNow(nil)}},
	} {
		_, err := webhook.Verify(body, empty, c.secrets, append(c.opts, at(signed))...)
		if err == nil {
			t.Errorf("%s was taken", name)
		}
		for _, sentinel := range []error{webhook.ErrNoSignature, webhook.ErrMalformed, webhook.ErrNoMatch, webhook.ErrStale,
			webhook.ErrTooLarge, webhook.ErrNoEvent} {
			if errors.Is(err, sentinel) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestWhatIsSignedMustBeAnEvent(t *testing.T) {
	for _, text := range []string{"", "null", "[]", "{}", `{"id":"evt_1"}`, string(body) + "x"} {
		if _, err := webhook.Verify([]byte(text), webhook.Sign([]byte(text), signed, current), only, at(signed)); !errors.Is(
			err, webhook.ErrNoEvent) {
			t.Errorf("%q: %v", text, err)
		}
	}
	large := bytes.Repeat([]byte(" "), webhook.MaxBody+1)
	if _, err := webhook.Verify(large, webhook.Sign(large, signed, current), only, at(signed)); !errors.Is(err,
		webhook.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	largest := append(bytes.Clone(body), large[:webhook.MaxBody-len(body)]...)
	if _, err := webhook.Verify(largest, webhook.Sign(largest, signed, current), only, at(signed)); err != nil {
		t.Errorf("largest: %v", err)
	}
}

func TestReadRequest(t *testing.T) {
	good := webhook.Sign(body, signed, current)
	large := bytes.Repeat([]byte(" "), webhook.MaxBody+9)
	broken := errors.New("connection reset")
	for name, c := range map[string]struct {
		headers []string
		body    io.Reader
		want    error
	}{
		"good":               {[]string{good}, bytes.NewReader(body), nil},
		"no header":          {nil, bytes.NewReader(body), webhook.ErrNoSignature},
		"an empty header":    {[]string{""}, bytes.NewReader(body), webhook.ErrNoSignature},
		"two headers":        {[]string{good, good}, bytes.NewReader(body), webhook.ErrMalformed},
		"no body":            {[]string{good}, nil, webhook.ErrNoMatch},
		"too large":          {[]string{webhook.Sign(large, signed, current)}, bytes.NewReader(large), webhook.ErrTooLarge},
		"a body without end": {[]string{good}, endless{}, webhook.ErrTooLarge},
		"a body that breaks": {[]string{good}, iotest.ErrReader(broken), broken},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", c.body)
		for _, header := range c.headers {
			r.Header.Add("x-service-signature", header)
		}
		event, err := webhook.ReadRequest(r, only, at(signed))
		if !errors.Is(err, c.want) || c.want == nil && event.ID != "evt_1" {
			t.Errorf("%s: %+v, %v, want %v", name, event, err, c.want)
		}
	}
	if _, err := webhook.ReadRequest(&http.Request{Header: http.Header{webhook.SignatureHeader: {good}}}, only,
		at(signed)); !errors.Is(err, webhook.ErrNoMatch) {
		t.Errorf("a nil body: %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestHeaderNamesAreCanonical(t *testing.T) {
	for _, name := range []string{webhook.SignatureHeader, webhook.EventIDHeader, webhook.EventTypeHeader,
		webhook.DeliveryIDHeader, webhook.AttemptHeader} {
		if http.CanonicalHeaderKey(name) != name {
			t.Errorf("%s is %s on the wire", name, http.CanonicalHeaderKey(name))
		}
	}
}

func ExampleReadRequest() {
	secrets := []apiclient.Secret{current} // also the previous secret during a rotation
	http.HandleFunc("POST /finance", func(w http.ResponseWriter, r *http.Request) {
		event, err := webhook.ReadRequest(r, secrets)
		if err != nil {
			http.Error(w, "not accepted", http.StatusBadRequest)
			return
		}
		_ = event.ID // skip the event if it is known
		w.WriteHeader(http.StatusNoContent)
	})
}
