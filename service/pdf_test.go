package service_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// billed proposes an invoice for a recipient and returns its id.
func (f *fixture) billed(a tenant, recipient string) string {
	f.t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(goodProposal), &fields); err != nil {
		f.t.Fatal(err)
	}
	fields["recipient_name"] = recipient
	body, err := json.Marshal(fields)
	if err != nil {
		f.t.Fatal(err)
	}
	made := f.send(a.secret, http.MethodPost, prefix+"/invoices", string(body))
	var invoice struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(made.body, &invoice); err != nil || made.status != http.StatusCreated {
		f.t.Fatalf("%d %s: %v", made.status, made.body, err)
	}
	return invoice.ID
}

func TestAnInvoicesPDFShowsItsRecipientOrTheErrorNamesTheCharacter(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for recipient, refused := range map[string]string{
		"株式会社みどり":                    "",
		"주식회사 하늘소프트":                 "",
		"上海智能科技有限公司":                 "",
		"شركة النور":                 "",
		"hieroglyph 𓀀":               `no font has "𓀀" (U+13000)`,
		"नमस्ते":                     "Devanagari letters cannot be joined",
		strings.Repeat("𓀀𓀁🚀", 60):    `no font has "𓀀" (U+13000), "𓀁" (U+13001) and "🚀" (U+1F680)`,
		"private \ue000 \"quotes\" ": `no font has U+E000`,
	} {
		page := f.get(a.secret, prefix+"/invoices/"+f.billed(a, recipient)+"/pdf")

		if refused != "" {
			f.refused(recipient, page, http.StatusUnprocessableEntity, "this invoice cannot be rendered as a PDF: "+refused)
		} else if page.status != http.StatusOK || !bytes.HasPrefix(page.body, []byte("%PDF-1.")) {
			t.Errorf("%s: %d %.100s", recipient, page.status, page.body)
		}
	}
}
