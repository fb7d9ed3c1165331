package apiclient_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"tarmac/apiclient"
)

const document = "%PDF-1.7\n…\n%%EOF\n"

func sendingPDF(disposition, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", disposition)
		_, _ = io.WriteString(w, body)
	}
}

func TestInvoicePDF(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != "/api/ext/v1/invoices/inv%2F1/pdf" ||
			r.Header.Get("Accept") != "application/pdf, application/json" {
			t.Errorf("%s, %s", r.URL.EscapedPath(), r.Header.Get("Accept"))
		}
		sendingPDF(`inline; filename="INV-000001.pdf"`, document)(w, r)
	})
	var out bytes.Buffer
	got, err := client.InvoicePDF(t.Context(), "inv/1", &out)
	check(t, "pdf", got, err, apiclient.PDF{Bytes: int64(len(document)), FileName: "INV-000001.pdf"})
	if out.String() != document {
		t.Errorf("%q", out.String())
	}
	for _, id := range []string{"", ".", ".."} {
		if _, err := client.InvoicePDF(t.Context(), id, &out); err == nil {
			t.Errorf("id %q was sent", id)
		}
	}
}

func TestADocumentIsAskedForAgain(t *testing.T) {
	var asked atomic.Int64
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Content-Length", "500")
		}
		sendingPDF("", document)(w, r)
	})
	var out bytes.Buffer
	if _, err := client.InvoicePDF(t.Context(), "inv_1", &out); err != nil || out.String() != document ||
		asked.Load() != 2 {
		t.Errorf("asked %d times: %v, %q", asked.Load(), err, out.String())
	}
}

// Nothing is written unless the whole document has arrived.
func TestWhatIsNoWholeDocumentIsNotWritten(t *testing.T) {
	raw := func(head, body string) http.HandlerFunc {
		return saying(t, "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n"+head+"\r\n"+body)
	}
	contract := new(*apiclient.ContractError)
	network := new(*apiclient.NetworkError)
	refusal := new(*apiclient.Error)
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		as      any
		want    string
	}{
		"not found": {func(w http.ResponseWriter, _ *http.Request) { answer(w, 404, `{"error":"no such invoice"}`) }, refusal,
			"no such invoice (404)"},
		"not to be shown": {func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 422, `{"error":"this invoice cannot be rendered as a PDF"}`)
		}, refusal, "cannot be rendered as a PDF (422)"},
		"JSON": {answering(draftJSON), contract, "is application/json instead of a PDF document"},
		"a page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, contract,
			"is text/html instead of a PDF document"},
		"no type": {saying(t, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n%PDF-"), contract,
			"is something instead of a PDF document"},
		"another status": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, contract,
			"has status 204 instead of 200"},
		"no PDF":           {sendingPDF("", "<html>"), contract, "is no PDF document, though it says so"},
		"empty":            {sendingPDF("", ""), contract, "is no PDF document, though it says so"},
		"too large":        {sendingPDF("", "%PDF-"+strings.Repeat("x", 32<<20)+"%%EOF"), contract, "is larger than 32 MiB"},
		"too short":        {raw("Content-Length: 90\r\n", document), network, "the answer broke off"},
		"a chunk short":    {raw("Transfer-Encoding: chunked\r\n", "12\r\n%PDF-1.7\n"), network, "the answer broke off"},
		"no last chunk":    {raw("Transfer-Encoding: chunked\r\n", "5\r\n%PDF-\r\n"), network, "the answer broke off"},
		"open, broken off": {raw("Connection: close\r\n", document[:12]), contract, "lacks its end"},
		"reset": {hijacked(t, func(conn net.Conn, b *bufio.ReadWriter) {
			_, _ = b.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 90\r\n\r\n%PDF-")
			_ = b.Flush()
			_ = conn.(*net.TCPConn).SetLinger(0)
		}), network, ""},
		"half of a zipped one": {func(w http.ResponseWriter, r *http.Request) {
			var zipped bytes.Buffer
			z := gzip.NewWriter(&zipped)
			_, _ = io.WriteString(z, document)
			_ = z.Close()
			w.Header().Set("Content-Encoding", "gzip")
			sendingPDF("", zipped.String()[:zipped.Len()-6])(w, r)
		}, network, "the answer broke off"},
	} {
		client, _ := serve(t, c.handler)
		var out bytes.Buffer
		got, err := client.InvoicePDF(t.Context(), "inv_1", &out)
		if out.Len() > 0 || got != (apiclient.PDF{}) {
			t.Errorf("%s: %d bytes were written, %+v", name, out.Len(), got)
		}
		if err == nil || !errors.As(err, c.as) || !strings.Contains(err.Error(), c.want) ||
			errors.Is(err, apiclient.ErrOutcomeUnknown) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
	client, _ := serve(t, raw("Connection: close\r\n", document))
	if _, err := client.InvoicePDF(t.Context(), "inv_1", io.Discard); err != nil {
		t.Errorf("open, but whole: %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 3, errors.New("no space left on device") }

func TestADocumentThatCannotBeWritten(t *testing.T) {
	client, _ := serve(t, sendingPDF("", document))
	got, err := client.InvoicePDF(t.Context(), "inv_1", fullDisk{})
	if err == nil || err.Error() != "GET /invoices/{invoiceId}/pdf: write the document: no space left on device" ||
		got.Bytes != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFileNamesStayInTheirDirectory(t *testing.T) {
	for disposition, want := range map[string]string{
		`inline; filename="INV-000001.pdf"`:                  "INV-000001.pdf",
		`attachment; filename=INV-1.PDF`:                     "INV-1.pdf",
		`inline; filename="Rechnung"`:                        "Rechnung.pdf",
		`inline; filename*=UTF-8''%E6%A0%AA%2Dx.pdf`:         "株-x.pdf",
		`inline; filename="../../etc/passwd"`:                "passwd.pdf",
		`inline; filename="..\\..\\evil.pdf"`:                "evil.pdf",
		`inline; filename="C:\\Windows\\x.pdf"`:              "x.pdf",
		`inline; filename="C:x.pdf"`:                         "C_x.pdf",
		`inline; filename="/"`:                               "",
		`inline; filename=".."`:                              "",
		`inline; filename=".pdf"`:                            "",
		`inline; filename=""`:                                "",
		`inline; filename=".bashrc"`:                         "bashrc.pdf",
		`inline; filename="-rf.pdf"`:                         "rf.pdf",
		`inline; filename="~root.pdf"`:                       "root.pdf",
		`inline; filename="x.exe"`:                           "x.exe.pdf",
		`inline; filename="x. . .pdf"`:                       "x.pdf",
		`inline; filename="nul.pdf"`:                         "_nul.pdf",
		`inline; filename="COM1.invoice.pdf"`:                "_COM1.invoice.pdf",
		`inline; filename="command.pdf"`:                     "command.pdf",
		`inline; filename="a<b>|\"c\"?*.pdf"`:                "a_b___c___.pdf",
		`inline; filename*=UTF-8''a%1B%5B2Jb%0Ac.pdf`:        "ab c.pdf",
		`inline; filename*=UTF-8''a%E2%80%AEfdp.exe.pdf`:     "afdp.exe.pdf",
		`inline; filename="` + secret + `.pdf"`:              "[token].pdf",
		`inline; filename="a`:                                "",
		`inline`:                                             "",
		``:                                                   "",
		`inline; filename*=UTF-8''` + percents("é", 300):     strings.Repeat("é", 100) + ".pdf",
		`inline; filename="` + strings.Repeat(".", 9) + `a"`: "a.pdf",
	} {
		client, _ := serve(t, sendingPDF(disposition, document))
		got, err := client.InvoicePDF(t.Context(), "inv_1", io.Discard)
		if err != nil || got.FileName != want || !utf8.ValidString(got.FileName) {
			t.Errorf("%s: %q, %v, want %q", disposition, got.FileName, err, want)
		}
	}
}

func percents(s string, n int) string {
	var b strings.Builder
	for range n {
		for i := range len(s) {
			b.WriteString("%" + strings.ToUpper(string("0123456789abcdef"[s[i]>>4])+string("0123456789abcdef"[s[i]&15])))
		}
	}
	return b.String()
}
