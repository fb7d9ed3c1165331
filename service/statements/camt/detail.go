package camt

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"tarmac/service/statements/elements"
)

// detail is one payment of an entry: a TxDtls element, or the only payment.
type detail struct {
	id, endToEnd, check, mandate, instruction string
	// creditor is the creditor reference, for example of ISO 11649.
	creditor              string
	text                  string // text that the payer wrote
	information, returned string // texts that the bank wrote
	code                  transactionCode
	debtor, payee         party
	amounts               []amount
	// currency is the currency of the Amt element that is being read.
	currency string
}

// party is the debtor or the creditor of a payment.
type party struct{ name, agent, ultimate, account string }

// maxText is the length in bytes after which no more text is added to detail.text. The whole text
// is in Line.Raw.
const maxText = 4 << 10

// set stores the value of an element. part is the path of the element below TxDtls.
func (d *detail) set(part []byte, tokens *elements.Reader) {
	if inner, ok := bytes.CutPrefix(part, []byte("RltdPties/")); ok {
		d.setParty(inner, tokens)
		return
	}
	if code, ok := bytes.CutPrefix(part, []byte("BkTxCd/")); ok {
		d.code.set(code, tokens)
		return
	}
	if inner, ok := bytes.CutPrefix(part, []byte("AmtDtls/")); ok {
		d.amounts = addAmount(d.amounts, inner, d.currency, tokens)
		return
	}
	switch string(part) {
	case "Amt":
		d.amounts = addAmount(d.amounts, []byte("Amt/Amt"), d.currency, tokens)
	case "Refs/AcctSvcrRef":
		d.id = tokens.Value()
	case "Refs/EndToEndId":
		d.endToEnd = unlessNone(tokens.Value())
	case "Refs/ChqNb":
		d.check = tokens.Value()
	case "Refs/MndtId":
		d.mandate = tokens.Value()
	case "Refs/InstrId", "Refs/TxId":
		d.instruction = cmp.Or(d.instruction, unlessNone(tokens.Value()))
	case "RmtInf/Strd/CdtrRefInf/Ref", "RmtInf/Strd/CdtrRefInf/CdtrRef":
		d.creditor = cmp.Or(d.creditor, tokens.Value())
	case "RmtInf/Ustrd", "RmtInf/Strd/AddtlRmtInf", "RmtInf/Strd/RfrdDocInf/Nb", "RmtInf/Strd/RfrdDocInf/RfrdDocNb":
		if len(d.text) < maxText {
			d.text = join(d.text, tokens.Value())
		}
	case "AddtlTxInf":
		d.information = tokens.Value()
	case "RtrInf/AddtlInf":
		d.returned = tokens.Value()
	}
}

// setParty stores the value of an element. part is the path of the element below RltdPties. From
// version 8 on, names are in an additional element Pty.
func (d *detail) setParty(part []byte, tokens *elements.Reader) {
	switch string(part) {
	case "Dbtr/Nm", "Dbtr/Pty/Nm":
		d.debtor.name = tokens.Value()
	case "Cdtr/Nm", "Cdtr/Pty/Nm":
		d.payee.name = tokens.Value()
	case "Dbtr/Agt/FinInstnId/Nm":
		d.debtor.agent = tokens.Value()
	case "Cdtr/Agt/FinInstnId/Nm":
		d.payee.agent = tokens.Value()
	case "UltmtDbtr/Nm", "UltmtDbtr/Pty/Nm":
		d.debtor.ultimate = tokens.Value()
	case "UltmtCdtr/Nm", "UltmtCdtr/Pty/Nm":
		d.payee.ultimate = tokens.Value()
	case "DbtrAcct/Id/IBAN", "DbtrAcct/Id/BBAN":
		d.debtor.account = strings.ReplaceAll(tokens.Value(), " ", "")
	case "CdtrAcct/Id/IBAN", "CdtrAcct/Id/BBAN":
		d.payee.account = strings.ReplaceAll(tokens.Value(), " ", "")
	case "DbtrAcct/Id/Othr/Id", "DbtrAcct/Id/PrtryAcct/Id":
		d.debtor.account = tokens.Value()
	case "CdtrAcct/Id/Othr/Id", "CdtrAcct/Id/PrtryAcct/Id":
		d.payee.account = tokens.Value()
	}
}

// unlessNone returns a reference, or "" for a word such as NOTPROVIDED that stands for no
// reference.
func unlessNone(text string) string {
	switch strings.ToUpper(text) {
	case "NOTPROVIDED", "NOTAVAILABLE", "NOT PROVIDED", "NONREF", "NON REF", "NOREF", "KEINE", "-":
		return ""
	}
	return text
}

// addAmount appends an amount to the list, or sets the exchange rate of its last amount. part is
// the path of the element below AmtDtls.
func addAmount(list []amount, part []byte, currency string, tokens *elements.Reader) []amount {
	switch {
	case bytes.HasSuffix(part, []byte("/Amt")) && len(list) < maxAmounts:
		return append(list, amount{text: tokens.Value(), currency: currency})
	case bytes.HasSuffix(part, []byte("/CcyXchg/XchgRate")) && len(list) > 0:
		list[len(list)-1].rate = tokens.Value()
	}
	return list
}

// has reports whether one of the payment's amounts equals the given amount.
func (d *detail) has(text, currency string) bool {
	want, err := parseAmount(text, currency, 0)
	return err == nil && slices.ContainsFunc(d.amounts, func(a amount) bool {
		minor, err := parseAmount(a.text, a.currency, 0)
		return err == nil && minor == want && a.currency == currency
	})
}

// keepCommon clears the fields whose values differ between two payments of the same entry.
func (d *detail) keepCommon(other *detail) {
	for _, pair := range [][2]*string{
		{&d.debtor.name, &other.debtor.name}, {&d.debtor.agent, &other.debtor.agent},
		{&d.debtor.account, &other.debtor.account}, {&d.debtor.ultimate, &other.debtor.ultimate},
		{&d.payee.name, &other.payee.name}, {&d.payee.agent, &other.payee.agent},
		{&d.payee.account, &other.payee.account}, {&d.payee.ultimate, &other.payee.ultimate},
		{&d.id, &other.id}, {&d.endToEnd, &other.endToEnd}, {&d.check, &other.check}, {&d.mandate, &other.mandate},
		{&d.instruction, &other.instruction}, {&d.creditor, &other.creditor}, {&d.text, &other.text},
		{&d.information, &other.information}, {&d.returned, &other.returned},
	} {
		if *pair[0] != *pair[1] {
			*pair[0] = ""
		}
	}
	if d.code != other.code {
		d.code = transactionCode{}
	}
	d.amounts = nil
}

// counterparty returns the name and account of the other party: the debtor of an incoming payment,
// the creditor of an outgoing one. If that party has the statement's own account, or is missing
// while the holder's side has another account, the bank has swapped the two.
func (d *detail) counterparty(in bool, own string) (name, account string) {
	other, self := d.payee, d.debtor
	if in {
		other, self = d.debtor, d.payee
	}
	isOwn := func(p party) bool { return p.account != "" && p.account == own }
	switch {
	case isOwn(other) && !isOwn(self):
		other = self
	case isOwn(other) || other == (party{}) && (self.account == "" || isOwn(self)):
		return "", ""
	case other == (party{}):
		other = self
	}
	return cmp.Or(other.name, other.ultimate, other.agent), other.account
}

// ultimate returns the party on whose behalf the counterparty acts, such as a shop that uses a
// payment service. It returns "" if there is none.
func (d *detail) ultimate(counterparty string) string {
	switch counterparty {
	case "":
		return ""
	case d.debtor.name:
		return d.debtor.ultimate
	case d.payee.name:
		return d.payee.ultimate
	}
	return ""
}

// transactionCode is the type of an entry: an ISO 20022 code of three parts, and the bank's own
// code.
type transactionCode struct{ domain, family, subfamily, own string }

func (c *transactionCode) set(part []byte, tokens *elements.Reader) {
	switch string(part) {
	case "Domn/Cd":
		c.domain = tokens.Value()
	case "Domn/Fmly/Cd":
		c.family = tokens.Value()
	case "Domn/Fmly/SubFmlyCd":
		c.subfamily = tokens.Value()
	case "Prtry/Cd":
		c.own = tokens.Value()
	}
}

// String returns the ISO 20022 code, or the bank's own code if there is none.
func (c transactionCode) String() string {
	if c.domain == "" {
		return c.own
	}
	return strings.TrimRight(c.domain+"-"+c.family+"-"+c.subfamily, "-")
}

// transfer reports whether the code stands for a transfer between own accounts: account balancing
// or cash pooling.
func (c transactionCode) transfer() bool {
	return c.domain == "CAMT" && (c.family == "ACCB" || c.family == "CAPL")
}
