package bankfiles

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// camtNamespace is the XML namespace of CAMT.053 in version 8, which European banks offer.
const camtNamespace = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"

// CAMT writes a statement as CAMT.053. The account's number must be an IBAN, and s.Account.Bank a
// BIC. Pending lines are left out, because the format has none.
func CAMT(w io.Writer, written civil.Date, sequence int, s Statement) error {
	id := fmt.Sprintf("%s-%d", compact(written), sequence)
	doc := camtDocument{Namespace: camtNamespace, ID: id, Created: written.String() + "T06:00:00Z"}
	doc.Statement = camtStatement{
		ID: id, Sequence: sequence, Created: doc.Created,
		From: s.First.String() + "T00:00:00", To: s.Last.String() + "T23:59:59",
		IBAN: s.Account.Number, Currency: s.Currency, Name: s.Account.Name, BIC: s.Account.Bank,
		Balances: []camtBalance{
			newCAMTBalance("OPBD", *s.Opening, s.Currency), newCAMTBalance("CLBD", *s.Closing, s.Currency),
		},
	}
	for _, l := range s.Lines {
		if !l.Pending {
			doc.Statement.Entries = append(doc.Statement.Entries, newCAMTEntry(l, s.Currency))
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", " ")
	if err := encoder.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type camtDocument struct {
	XMLName   xml.Name      `xml:"Document"`
	Namespace string        `xml:"xmlns,attr"`
	ID        string        `xml:"BkToCstmrStmt>GrpHdr>MsgId"`
	Created   string        `xml:"BkToCstmrStmt>GrpHdr>CreDtTm"`
	Statement camtStatement `xml:"BkToCstmrStmt>Stmt"`
}

type camtStatement struct {
	ID       string        `xml:"Id"`
	Sequence int           `xml:"ElctrncSeqNb"`
	Created  string        `xml:"CreDtTm"`
	From     string        `xml:"FrToDt>FrDtTm"`
	To       string        `xml:"FrToDt>ToDtTm"`
	IBAN     string        `xml:"Acct>Id>IBAN"`
	Currency string        `xml:"Acct>Ccy"`
	Name     string        `xml:"Acct>Nm"`
	BIC      string        `xml:"Acct>Svcr>FinInstnId>BICFI"`
	Balances []camtBalance `xml:"Bal"`
	Entries  []camtEntry   `xml:"Ntry"`
}

type camtBalance struct {
	Code      string     `xml:"Tp>CdOrPrtry>Cd"`
	Amount    camtAmount `xml:"Amt"`
	Direction string     `xml:"CdtDbtInd"`
	Date      string     `xml:"Dt>Dt"`
}

// camtAmount is an amount in XML. It has no sign.
type camtAmount struct {
	Currency string `xml:"Ccy,attr"`
	Amount   string `xml:",chardata"`
}

func newCAMTAmount(minor int64, currency string) camtAmount {
	return camtAmount{currency, plain(max(minor, -minor), currency)}
}

// camtDirection returns the code for money in (credit) or money out (debit).
func camtDirection(minor int64) string {
	if minor < 0 {
		return "DBIT"
	}
	return "CRDT"
}

func newCAMTBalance(code string, b bank.Balance, currency string) camtBalance {
	return camtBalance{code, newCAMTAmount(b.Minor, currency), camtDirection(b.Minor), b.Date.String()}
}

type camtEntry struct {
	Amount    camtAmount  `xml:"Amt"`
	Direction string      `xml:"CdtDbtInd"`
	Status    string      `xml:"Sts>Cd"`
	Booked    string      `xml:"BookgDt>Dt"`
	Value     string      `xml:"ValDt>Dt"`
	Reference string      `xml:"AcctSvcrRef,omitempty"`
	Domain    string      `xml:"BkTxCd>Domn>Cd"`
	Family    string      `xml:"BkTxCd>Domn>Fmly>Cd"`
	SubFamily string      `xml:"BkTxCd>Domn>Fmly>SubFmlyCd"`
	Details   camtDetails `xml:"NtryDtls>TxDtls"`
}

type camtDetails struct {
	EndToEnd   string        `xml:"Refs>EndToEndId"`
	Instructed *camtOriginal `xml:"AmtDtls>InstdAmt"`
	Parties    camtParties   `xml:"RltdPties"`
	Text       string        `xml:"RmtInf>Ustrd"`
}

// camtParties holds the other party of a line: the debtor for money in, the creditor for money out.
type camtParties struct {
	Debtor          *camtParty   `xml:"Dbtr"`
	DebtorAccount   *camtAccount `xml:"DbtrAcct"`
	Creditor        *camtParty   `xml:"Cdtr"`
	CreditorAccount *camtAccount `xml:"CdtrAcct"`
}

type camtParty struct {
	Name string `xml:"Pty>Nm"`
}

type camtAccount struct {
	Number string `xml:"Id>Othr>Id"`
}

func newCAMTParty(l bank.Line) (party *camtParty, account *camtAccount) {
	if l.Counterparty != "" {
		party = &camtParty{l.Counterparty}
	}
	if l.OtherAccount != "" {
		account = &camtAccount{l.OtherAccount}
	}
	return party, account
}

// camtOriginal is the amount of a line in another currency. Its rate is the number of units of that
// currency for one unit of the account's currency.
type camtOriginal struct {
	Amount camtAmount `xml:"Amt"`
	Source string     `xml:"CcyXchg>SrcCcy"`
	Target string     `xml:"CcyXchg>TrgtCcy"`
	Unit   string     `xml:"CcyXchg>UnitCcy"`
	Rate   string     `xml:"CcyXchg>XchgRate"`
}

func newCAMTEntry(l bank.Line, currency string) camtEntry {
	e := camtEntry{
		Amount: newCAMTAmount(l.Minor, currency), Direction: camtDirection(l.Minor), Status: "BOOK",
		Booked: l.Booked.String(), Value: valueDate(l).String(), Reference: l.ID,
		Domain: "PMNT", Family: "ICDT", SubFamily: "ESCT",
		Details: camtDetails{EndToEnd: cmp.Or(l.Reference, "NOTPROVIDED"), Text: l.Description},
	}
	if parties := &e.Details.Parties; l.Minor < 0 {
		parties.Creditor, parties.CreditorAccount = newCAMTParty(l)
	} else {
		e.Family = "RCDT"
		parties.Debtor, parties.DebtorAccount = newCAMTParty(l)
	}
	if o := l.Original; o != nil {
		e.Details.Instructed = &camtOriginal{newCAMTAmount(o.Minor, o.Currency), o.Currency, currency, currency, o.Rate}
	}
	return e
}
