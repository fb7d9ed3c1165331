package bankfiles

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// OFX writes statements of one bank in OFX 2.2, like the QFX downloads of US banks. Like these, it
// leaves out opening balances, value dates and the accounts of other parties.
func OFX(w io.Writer, from Institution, written civil.Date, statements ...Statement) error {
	o := &ofxWriter{out: bufio.NewWriter(w), from: from, written: written}
	o.raw(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>` + "\n" +
		`<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>` + "\n<OFX>\n")
	o.signOn()
	for i, s := range statements {
		o.statement(i+1, s)
	}
	o.raw("</OFX>\n")
	return o.out.Flush() // returns the first error of all writes
}

type ofxWriter struct {
	out     *bufio.Writer
	from    Institution
	written civil.Date
}

func (o *ofxWriter) raw(markup string) { _, _ = o.out.WriteString(markup) }

// value writes an element with a value. It writes nothing if the value is "".
func (o *ofxWriter) value(name, value string) {
	if value == "" {
		return
	}
	o.raw("<" + name + ">")
	_ = xml.EscapeText(o.out, []byte(value)) // Flush returns errors
	o.raw("</" + name + ">")
}

func (o *ofxWriter) status() {
	o.raw("<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>")
}

func (o *ofxWriter) signOn() {
	o.raw("<SIGNONMSGSRSV1><SONRS>")
	o.status()
	o.value("DTSERVER", moment(o.written))
	o.raw("<LANGUAGE>ENG</LANGUAGE><FI>")
	o.value("ORG", o.from.Name)
	o.value("FID", o.from.Routing)
	o.raw("</FI></SONRS></SIGNONMSGSRSV1>\n")
}

// moment returns noon of a day in the bank's time zone, in the format of OFX.
func moment(d civil.Date) string { return compact(d) + "120000[-5:EST]" }

// ofxMessages holds the OFX element names for either bank accounts or credit cards.
type ofxMessages struct{ set, response, statement, account string }

func (o *ofxWriter) statement(n int, s Statement) {
	names := ofxMessages{"BANKMSGSRSV1", "STMTTRNRS", "STMTRS", "BANKACCTFROM"}
	if s.Account.Kind == bank.KindCard {
		names = ofxMessages{"CREDITCARDMSGSRSV1", "CCSTMTTRNRS", "CCSTMTRS", "CCACCTFROM"}
	}
	o.raw("<" + names.set + "><" + names.response + ">")
	o.value("TRNUID", fmt.Sprintf("%s-%d", compact(o.written), n))
	o.status()
	o.raw("\n<" + names.statement + ">")
	o.value("CURDEF", s.Currency)
	o.account(names, s.Account)
	o.raw("\n<BANKTRANLIST>")
	o.value("DTSTART", moment(s.First))
	o.value("DTEND", moment(s.Last))
	o.raw("\n")
	pending := false
	for _, l := range s.Lines {
		if pending = pending || l.Pending; !l.Pending {
			o.booked(l, s.Currency)
		}
	}
	o.raw("</BANKTRANLIST>\n")
	if s.Closing != nil {
		o.raw("<LEDGERBAL>")
		o.value("BALAMT", plain(s.Closing.Minor, s.Currency))
		o.value("DTASOF", moment(s.Closing.Date))
		o.raw("</LEDGERBAL>\n")
	}
	if pending {
		o.pending(s)
	}
	o.raw("</" + names.statement + "></" + names.response + "></" + names.set + ">\n")
}

func (o *ofxWriter) account(names ofxMessages, a bank.Account) {
	o.raw("<" + names.account + ">")
	if a.Kind != bank.KindCard {
		o.value("BANKID", o.from.Routing)
	}
	o.value("ACCTID", a.Number)
	switch a.Kind {
	case bank.KindSavings:
		o.value("ACCTTYPE", "SAVINGS")
	case bank.KindCard:
	default:
		o.value("ACCTTYPE", "CHECKING")
	}
	o.raw("</" + names.account + ">")
}

func (o *ofxWriter) booked(l bank.Line, currency string) {
	o.raw("<STMTTRN>")
	o.value("TRNTYPE", l.Method)
	o.value("DTPOSTED", moment(l.Booked))
	o.value("TRNAMT", plain(l.Minor, currency))
	o.value("FITID", l.ID)
	if l.Method == "CHECK" {
		o.value("CHECKNUM", l.Reference)
	} else {
		o.value("REFNUM", l.Reference)
	}
	o.value("NAME", l.Counterparty)
	o.value("MEMO", l.Description)
	o.raw("</STMTTRN>\n")
}

// pending writes the pending lines of a statement.
func (o *ofxWriter) pending(s Statement) {
	o.raw("<BANKTRANLISTP>")
	o.value("DTASOF", moment(o.written))
	o.raw("\n")
	for _, l := range s.Lines {
		if !l.Pending {
			continue
		}
		o.raw("<STMTTRNP>")
		o.value("TRNTYPE", l.Method)
		o.value("DTTRAN", moment(valueDate(l)))
		o.value("TRNAMT", plain(l.Minor, s.Currency))
		o.value("NAME", l.Counterparty)
		o.value("MEMO", l.Description)
		o.raw("</STMTTRNP>\n")
	}
	o.raw("</BANKTRANLISTP>\n")
}
