package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tarmac/apiclient"
	"tarmac/client/assistant"
	"tarmac/internal/testsupport/hostile"
	"tarmac/service/access"
)

func TestInvoicesAreResources(t *testing.T) {
	client := generated(t).honest(t)
	session := connect(t, options(client), nil)
	read := func(uri string) *mcp.ResourceContents {
		t.Helper()
		result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		return result.Contents[0]
	}

	list, err := session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}

	newest := must[[]apiclient.Invoice](t)(client.Invoices(t.Context(), apiclient.InvoiceFilter{Limit: 20}))
	if len(list.Resources) != 20 || len(templates.ResourceTemplates) != 2 {
		t.Fatalf("%d resources, %d templates", len(list.Resources), len(templates.ResourceTemplates))
	}
	for i, resource := range list.Resources {
		if resource.URI != "tarmac://invoices/"+newest[i].ID || !strings.Contains(resource.Title, newest[i].Total.String()) {
			t.Errorf("resource %d is %+v", i, resource)
		}
	}
	var invoice assistant.Invoice
	if err := json.Unmarshal([]byte(read(list.Resources[0].URI).Text), &invoice); err != nil {
		t.Fatal(err)
	}
	if invoice.ID != newest[0].ID || invoice.Customer.Text != newest[0].RecipientName {
		t.Errorf("the invoice is %+v", invoice)
	}
	var want bytes.Buffer
	if _, err := client.InvoicePDF(t.Context(), newest[0].ID, &want); err != nil {
		t.Fatal(err)
	}
	document := read(list.Resources[0].URI + "/pdf")
	if document.MIMEType != "application/pdf" || !bytes.Equal(document.Blob, want.Bytes()) {
		t.Errorf("the document has %d bytes of %s, want %d", len(document.Blob), document.MIMEType, want.Len())
	}
}

// Programs list resources when they start, and would show a refusal as a broken server.
func TestATokenThatMayNotReadInvoicesHasNoResources(t *testing.T) {
	c := generated(t)
	session := connect(t, options(c.client(t, c.service.Handler(), "account:read")), nil)

	list, err := session.ListResources(t.Context(), nil)

	if err != nil || len(list.Resources) != 0 {
		t.Errorf("%v, %+v", err, list)
	}
}

func TestOtherAddressesAreNotResources(t *testing.T) {
	session := connect(t, options(generated(t).honest(t)), nil)
	for _, uri := range []string{
		"tarmac://invoices/inv_none", "tarmac://invoices/inv_none/pdf", "tarmac://invoices/", "tarmac://invoices//pdf",
		"tarmac://invoices/../../webhooks", "tarmac://invoices/..%2Faccount", "tarmac://invoices/a b", "tarmac://accounts/1",
		"file:///etc/passwd", "", strings.Repeat("x", 100_000),
	} {
		_, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err == nil || len(err.Error()) > 8000 {
			t.Errorf("%.80s: %.300v", uri, err)
		}
	}
}

func TestResourcesDoNotCarryTextOfOutsiders(t *testing.T) {
	c := generated(t)
	attacks := &hostile.Answers{Next: c.service.Handler(), Words: true}
	session := connect(t, options(c.client(t, attacks, access.Scopes[:]...)), nil)

	list, err := session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}

	text, err := json.Marshal(list)
	if err != nil || strings.Contains(strings.ToLower(string(text)), hostile.Word) {
		t.Errorf("%v: the list is %s", err, text)
	}
}

// large is a source whose documents are large.
type large struct{ *apiclient.Client }

func (large) InvoicePDF(_ context.Context, _ string, w io.Writer) (apiclient.PDF, error) {
	n, err := w.Write(bytes.Repeat([]byte("%PDF"), 1<<20))
	return apiclient.PDF{Bytes: int64(n)}, err
}

func TestALargeDocumentIsRefused(t *testing.T) {
	o := options(nil)
	o.Source = large{generated(t).honest(t)}
	session := connect(t, o, nil)

	_, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tarmac://invoices/inv_1/pdf"})

	if err == nil || !strings.Contains(err.Error(), "larger than 2 MiB") {
		t.Errorf("the document is answered with %v", err)
	}
}
