package einvoice

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// document holds the fields of an invoice as the file writes them. BT is the number of a field in
// EN 16931.
type document struct {
	number     string // BT-1
	issued     string // BT-2
	kind       string // BT-3, a code of UNTDID 1001
	currency   string // BT-5
	due        []string
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

// dueDates lists the paths of due dates. A credit note of UBL has them beside the means of payment.
var dueDates = []string{
	"Invoice/DueDate", "Invoice/PaymentMeans/PaymentDueDate",
	settlement + "SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
}

// Limits of what a file may contain.
const (
	maxDepth    = 100
	maxDueDates = 100
	maxText     = 1000 // bytes of a field
)

// declaration matches an XML declaration and captures the charset.
var declaration = regexp.MustCompile(`^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']`)

// parse returns the fields of the invoice in an XML file. It returns a *bank.Error for a file that
// is damaged or has a document type: entities are not read.
func parse(ctx context.Context, content []byte) (*document, error) {
	charset := ""
	if found := declaration.FindSubmatch(content); found != nil {
		charset = string(found[1])
	}
	decoder := xml.NewDecoder(bank.Decode(bytes.NewReader(content), content, charset))
	// The text is UTF-8 already.
	decoder.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil }
	p := parser{document: &document{}}
	for count := 0; ; count++ {
		if count%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		token, err := decoder.RawToken()
		line, _ := decoder.InputPos()
		if errors.Is(err, io.EOF) && len(p.path) == 0 {
			return p.document, nil
		}
		if err != nil {
			return nil, bank.Errorf(line, "is no complete XML")
		}
		if err := p.take(token, line); err != nil {
			return nil, err
		}
	}
}

// parser reads the elements of an XML file.
type parser struct {
	*document
	path []string // local names of the open elements; that of a credit note's root is "Invoice"
	tags []xml.Name
	text strings.Builder // of the innermost element
}

func (p *parser) take(token xml.Token, line int) error {
	switch token := token.(type) {
	case xml.Directive:
		return bank.Errorf(line, "has a document type, which electronic invoices may not have")
	case xml.StartElement:
		return p.open(token, line)
	case xml.EndElement:
		if len(p.tags) == 0 || p.tags[len(p.tags)-1] != token.Name {
			return bank.Errorf(line, "is no complete XML")
		}
		p.close()
	case xml.CharData:
		if p.text.Len()+len(token) <= maxText {
			p.text.Write(token)
		}
	}
	return nil
}

func (p *parser) open(element xml.StartElement, line int) error {
	name := element.Name.Local
	switch {
	case len(p.path) > 0:
	case p.number != "" || p.seller != "":
		return bank.Errorf(line, "has more than one invoice")
	case name == "CreditNote":
		name, p.creditNote = "Invoice", true
	}
	if len(p.path) == maxDepth {
		return bank.Errorf(line, "has too many elements inside each other")
	}
	p.path, p.tags = append(p.path, name), append(p.tags, element.Name)
	p.text.Reset()
	if field := names[strings.Join(p.path, "/")]; field != nil && field(p.document) == &p.payable {
		for _, a := range element.Attr {
			if a.Name.Local == "currencyID" {
				p.payableIn = strings.TrimSpace(a.Value)
			}
		}
	}
	return nil
}

// close ends the innermost element. Of a field that is there several times the first counts.
func (p *parser) close() {
	path := strings.Join(p.path, "/")
	if text := bank.Text(p.text.String()); text != "" {
		if field := names[path]; field != nil && *field(p.document) == "" {
			*field(p.document) = text
		}
		if slices.Contains(dueDates, path) && len(p.due) < maxDueDates {
			p.due = append(p.due, text)
		}
	}
	p.text.Reset()
	p.path, p.tags = p.path[:len(p.path)-1], p.tags[:len(p.tags)-1]
}
