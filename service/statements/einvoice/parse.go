package einvoice

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/elements"
)

// document holds the fields of an invoice as the file writes them. BT is the number of a field in
// EN 16931.
type document struct {
	number     string // BT-1
	issued     string // BT-2
	kind       string // BT-3, a code of UNTDID 1001
	currency   string // BT-5
	due        []string
	terms      []term
	seller     string // BT-27
	payable    string // BT-115
	payableIn  string // currency beside the amount; "" if there is none
	creditNote bool   // true if the file is a credit note of UBL
}

// names maps the paths of elements, by local names, to the fields of a document.
var names = map[string]func(d *document) *string{
	"Invoice/ID":                   func(d *document) *string { return &d.number },
	"Invoice/IssueDate":            func(d *document) *string { return &d.issued },
	"Invoice/InvoiceTypeCode":      func(d *document) *string { return &d.kind },
	"Invoice/CreditNoteTypeCode":   func(d *document) *string { return &d.kind },
	"Invoice/DocumentCurrencyCode": func(d *document) *string { return &d.currency },
	"Invoice/AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName": func(d *document) *string {
		return &d.seller
	},
	"Invoice/LegalMonetaryTotal/PayableAmount": func(d *document) *string { return &d.payable },

	"CrossIndustryInvoice/ExchangedDocument/ID":       func(d *document) *string { return &d.number },
	"CrossIndustryInvoice/ExchangedDocument/TypeCode": func(d *document) *string { return &d.kind },
	"CrossIndustryInvoice/ExchangedDocument/IssueDateTime/DateTimeString": func(d *document) *string {
		return &d.issued
	},
	agreement + "SellerTradeParty/Name": func(d *document) *string { return &d.seller },
	settlement + "InvoiceCurrencyCode":  func(d *document) *string { return &d.currency },
	settlement + "SpecifiedTradeSettlementHeaderMonetarySummation/DuePayableAmount": func(d *document) *string {
		return &d.payable
	},
}

// Paths of the parts of an invoice in CII.
const (
	transaction = "CrossIndustryInvoice/SupplyChainTradeTransaction/"
	agreement   = transaction + "ApplicableHeaderTradeAgreement/"
	settlement  = transaction + "ApplicableHeaderTradeSettlement/"
)

// dueDates lists the paths of due dates outside of payment terms. A credit note of UBL has them
// beside the means of payment.
var dueDates = []string{
	"Invoice/DueDate", "Invoice/PaymentMeans/PaymentDueDate",
}

// Limits of what a file may contain.
const (
	maxDueDates = 100
	maxText     = 1000 // bytes of a field
	longestPath = 200  // bytes of a path; those of fields are shorter
)

// declaration matches an XML declaration and captures the charset.
var declaration = regexp.MustCompile(`^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']`)

// parse returns the fields of the invoice in an XML file. It returns a *bank.Error for a file that
// is damaged or has a document type: entities are not read.
func parse(b *bank.Budget, content []byte) (*document, error) {
	charset := ""
	if found := declaration.FindSubmatch(content[:min(len(content), bank.HeadSize)]); found != nil {
		charset = string(found[1])
	}
	in := elements.NewReader(b, bank.Decode(bytes.NewReader(content), content, charset))
	in.CutValues(maxText)
	d := &document{}
	for {
		tag, err := in.Next()
		if errors.Is(err, io.EOF) {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		if err := d.take(in, tag); err != nil {
			return nil, err
		}
	}
}

// take reads a start or end tag. Of a field that is there several times the first counts.
func (d *document) take(in *elements.Reader, tag elements.Tag) error {
	path := in.Path(0)[1:]
	if !tag.End && in.Depth() == 1 {
		if d.number != "" || d.seller != "" {
			return bank.Errorf(tag.Line, "has more than one invoice")
		}
		d.creditNote = string(path) == "CreditNote"
	}
	if len(path) > longestPath {
		return nil
	}
	if rest, ok := bytes.CutPrefix(path, []byte("CreditNote/")); ok {
		path = append([]byte("Invoice/"), rest...)
	}
	name := string(path)
	field := names[name]
	if !tag.End {
		if field != nil && field(d) == &d.payable {
			d.payableIn = tag.Attribute("currencyID")
		}
		d.takeTerm(name, "", true)
		return nil
	}
	text := bank.Text(strings.ToValidUTF8(in.Text(), ""))
	switch {
	case d.takeTerm(name, text, false), text == "":
	case field != nil && *field(d) == "":
		*field(d) = text
	case slices.Contains(dueDates, name) && len(d.due) < maxDueDates:
		d.due = append(d.due, text)
	}
	return nil
}
