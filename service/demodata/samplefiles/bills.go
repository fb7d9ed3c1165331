package samplefiles

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"codeberg.org/go-pdf/fpdf"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/demodata"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
)

// billsAge is the age in days of the list of bills.
const billsAge = 3

// bills returns the bills that are to be paid at the end of the day asOf.
func (c *company) bills(h *demodata.History, asOf civil.Date) (all []bank.OpenItem) {
	isHome := func(currency string) bool { return c.currency(currency) == c.home }
	for _, b := range demodata.VendorBills(h.Rows, asOf, asOf.AddDays(billsAge), isHome) {
		all = append(all, c.openItem(b))
	}
	return all
}

func (c *company) openItem(b demodata.VendorBill) bank.OpenItem {
	return bank.OpenItem{
		Number: b.Number, Party: b.Vendor, Issued: b.Issued, Due: b.Due, Currency: c.home, Minor: b.Minor,
	}
}

// writeBills writes the list of bills and three electronic invoices: the first bill of the list,
// the newest one of the list, and in a PDF one that no list has yet.
func (s *set) writeBills(asOf civil.Date, bills []bank.OpenItem) {
	s.add("bills-to-pay-"+asOf.String()+".csv", func(w io.Writer) error {
		return bankfiles.Bills(w, s.name, asOf, bills)
	})
	printed := s.openItem(demodata.NewVendorBill("Quayside Printing", asOf.AddDays(24), 2_380_00))
	first, newest := &bills[0], &bills[len(bills)-1]
	s.add(invoiceName(first)+".xml", func(w io.Writer) error { return s.invoice(w, first, ublInvoice) })
	s.add(invoiceName(newest)+".xml", func(w io.Writer) error { return s.invoice(w, newest, ciiInvoice) })
	s.add(invoiceName(&printed)+".pdf", func(w io.Writer) error { return s.printedInvoice(w, &printed) })
}

func invoiceName(b *bank.OpenItem) string { return "e-invoice-" + strings.ToLower(b.Number) }

// invoice writes a bill as an electronic invoice.
func (s *set) invoice(w io.Writer, b *bank.OpenItem, format string) error {
	text := func(one string) string {
		var escaped bytes.Buffer
		_ = xml.EscapeText(&escaped, []byte(one)) // a buffer does not fail
		return escaped.String()
	}
	day := func(d civil.Date) string {
		if format == ciiInvoice {
			return d.Time().Format("20060102")
		}
		return d.String()
	}
	_, err := fmt.Fprintf(w, format, text(b.Number), day(b.Issued), day(b.Due), b.Currency, text(b.Party), text(s.name),
		strings.ReplaceAll(money.Format(b.Minor, b.Currency), ",", ""))
	return err
}

// printedInvoice writes a bill as a page for people, to which the electronic invoice is attached.
func (s *set) printedInvoice(w io.Writer, b *bank.OpenItem) error {
	var attached bytes.Buffer
	if err := s.invoice(&attached, b, ciiInvoice); err != nil {
		return err
	}
	page := fpdf.New("P", "mm", "A4", "")
	page.SetCreationDate(b.Issued.Time())
	page.SetModificationDate(b.Issued.Time())
	page.AddPage()
	page.SetFont("Helvetica", "", 12)
	for _, line := range []string{
		b.Party, "Invoice " + b.Number + " of " + b.Issued.String(), "To " + s.name,
		b.Currency + " " + money.Format(b.Minor, b.Currency) + ", due on " + b.Due.String(),
	} {
		page.CellFormat(0, 8, line, "", 1, "", false, 0, "")
	}
	page.SetAttachments([]fpdf.Attachment{{Filename: "factur-x.xml", Content: attached.Bytes()}})
	return page.Output(w)
}

// ublInvoice and ciiInvoice are electronic invoices in the two syntaxes of EN 16931. Their figures
// are number, day of issue, due day, currency, seller, buyer and the amount to pay.
const ublInvoice = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>
  <cbc:ID>%[1]s</cbc:ID>
  <cbc:IssueDate>%[2]s</cbc:IssueDate>
  <cbc:DueDate>%[3]s</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>%[4]s</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty><cac:Party>
    <cac:PartyLegalEntity><cbc:RegistrationName>%[5]s</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cac:PartyLegalEntity><cbc:RegistrationName>%[6]s</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingCustomerParty>
  <cac:LegalMonetaryTotal>
    <cbc:TaxInclusiveAmount currencyID="%[4]s">%[7]s</cbc:TaxInclusiveAmount>
    <cbc:PayableAmount currencyID="%[4]s">%[7]s</cbc:PayableAmount>
  </cac:LegalMonetaryTotal>
</Invoice>
`

const ciiInvoice = `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
  xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <rsm:ExchangedDocument>
    <ram:ID>%[1]s</ram:ID>
    <ram:TypeCode>380</ram:TypeCode>
    <ram:IssueDateTime><udt:DateTimeString format="102">%[2]s</udt:DateTimeString></ram:IssueDateTime>
  </rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
    <ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty><ram:Name>%[5]s</ram:Name></ram:SellerTradeParty>
      <ram:BuyerTradeParty><ram:Name>%[6]s</ram:Name></ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeDelivery/>
    <ram:ApplicableHeaderTradeSettlement>
      <ram:InvoiceCurrencyCode>%[4]s</ram:InvoiceCurrencyCode>
      <ram:SpecifiedTradePaymentTerms>
        <ram:DueDateDateTime><udt:DateTimeString format="102">%[3]s</udt:DateTimeString></ram:DueDateDateTime>
      </ram:SpecifiedTradePaymentTerms>
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
        <ram:GrandTotalAmount>%[7]s</ram:GrandTotalAmount>
        <ram:DuePayableAmount>%[7]s</ram:DuePayableAmount>
      </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    </ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`
