package ofx

import (
	"fmt"
	"io"
	"slices"

	"tarmac/service/statements/bank"
)

// names maps the tags that the reader uses to themselves, so that tokens share these strings.
// aggregates lists the tags that contain other tags.
var names = tagNames()

var aggregates = map[string]bool{
	"OFX": true, "STATUS": true, "FI": true,
	"STMTTRNRS": true, "CCSTMTTRNRS": true, "INVSTMTTRNRS": true, "LOANSTMTTRNRS": true,
	"STMTRS": true, "CCSTMTRS": true, "INVSTMTRS": true, "LOANSTMTRS": true,
	"BANKACCTFROM": true, "CCACCTFROM": true, "INVACCTFROM": true, "LOANACCTFROM": true,
	"BANKACCTTO": true, "CCACCTTO": true, "INVACCTTO": true, "LOANACCTTO": true,
	"BANKTRANLIST": true, "BANKTRANLISTP": true, "INVTRANLIST": true, "LOANTRANLIST": true,
	"PENDINGLIST": true, "PENDINGTRANLIST": true, "PENDINGTRANSACTIONS": true,
	"STMTTRN": true, "STMTTRNP": true, "PAYEE": true, "EXTDPAYEE": true, "CURRENCY": true, "ORIGCURRENCY": true,
	"LEDGERBAL": true, "AVAILBAL": true, "BALLIST": true, "BAL": true,
	"INVBANKTRAN": true, "INVTRAN": true, "INVPOS": true, "INVPOSLIST": true, "INVBAL": true, "SECLIST": true,
	"ACCTINFO": true,
}

func tagNames() map[string]string {
	all := map[string]string{}
	for name := range aggregates {
		all[name] = name
	}
	for _, name := range []string{
		"CODE", "SEVERITY", "MESSAGE", "ORG", "CURDEF", "BANKID", "BROKERID", "ACCTID", "ACCTTYPE",
		"DTSTART", "DTEND", "BALAMT", "DTASOF", "CURRATE", "CURSYM",
		"TRNTYPE", "DTPOSTED", "DTTRAN", "DTAVAIL", "VALUEDATE", "TRNAMT", "FITID", "CORRECTFITID", "CORRECTACTION",
		"NAME", "EXTDNAME", "MEMO", "CHECKNUM", "REFNUM",
	} {
		all[name] = name
	}
	return all
}

// reader reads the tags of a file in order.
type reader struct {
	options bank.Options
	sink    bank.Sink
	tokens  *tokenizer
	decoder decoder
	amounts amounts

	open       []string // open aggregates, the outermost first
	documents  int
	statements int
	bank       string // bank's name
	status     status
	refusal    *refusal   // first error that the bank returned; nil if there is none
	statement  *statement // nil outside of statements
	entry      *entry     // transaction that is being read; nil if there is none
}

func (r *reader) read() error {
	if err := r.tokens.start(); err != nil && err != io.EOF {
		return err
	}
	for {
		next, err := r.tokens.next()
		if err == io.EOF {
			return r.finish()
		}
		if err != nil {
			return err
		}
		if err := r.take(next); err != nil {
			return err
		}
	}
}

// finish returns an error if the file is cut short or has no statement.
func (r *reader) finish() error {
	switch {
	case r.documents == 0:
		return bank.Errorf(0, "contains no OFX document")
	case len(r.open) > 0:
		return bank.Errorf(r.tokens.line(), "the file ends within <%s>: it is cut short", r.open[len(r.open)-1])
	case r.statements == 0 && r.refusal != nil:
		return bank.Errorf(r.refusal.line, "the bank answered with %s instead of a statement", r.refusal.text)
	case r.statements == 0:
		return bank.Errorf(0, "contains no statement of a bank account or card")
	}
	return nil
}

// take handles a start or end tag.
func (r *reader) take(next token) error {
	switch {
	case next.name == "":
		return nil
	case next.end:
		return r.end(next.name)
	case !aggregates[next.name] || r.isValue(next):
		return r.value(next)
	}
	// No aggregate contains another of the same name, so the end tag of the first is missing.
	if err := r.end(next.name); err != nil {
		return err
	}
	r.open = append(r.open, next.name)
	if err := r.begin(next); err != nil || !next.closed {
		return err
	}
	return r.end(next.name)
}

// isValue reports whether a tag that is usually an aggregate has a value here, as in <CURRENCY>USD.
func (r *reader) isValue(next token) bool {
	return len(next.value) > 0 && (next.name == "CURRENCY" || next.name == "ORIGCURRENCY" || next.name == "PAYEE")
}

// begin handles the start tag of an aggregate.
func (r *reader) begin(next token) error {
	switch next.name {
	case "OFX":
		r.documents++
	case "STATUS":
		r.status = status{line: next.line}
	case "STMTRS", "CCSTMTRS", "INVSTMTRS":
		return r.beginStatement(next)
	case "LOANSTMTRS":
		r.sink.Problem(next.line, "the statement of a loan is not read")
	case "STMTTRN", "STMTTRNP":
		return r.beginEntry(next)
	case "ORIGCURRENCY":
		if r.entry != nil {
			r.entry.converted = true
		}
	}
	if r.statement == nil {
		return nil
	}
	switch next.name {
	case "INVTRAN":
		r.statement.trades++
	case "INVPOS":
		r.statement.positions++
	case "BANKTRANLIST", "BANKTRANLISTP", "INVTRANLIST":
		return r.announce()
	}
	return nil
}

// end closes an aggregate, and those inside it whose end tags are missing. It ignores end tags of
// aggregates that are not open.
func (r *reader) end(name string) error {
	at := slices.Index(r.open, name)
	if at < 0 {
		return nil
	}
	for len(r.open) > at {
		last := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		if err := r.ended(last); err != nil {
			return err
		}
	}
	return nil
}

// ended handles the end of an aggregate.
func (r *reader) ended(name string) error {
	switch name {
	case "STATUS":
		r.endStatus()
	case "STMTTRN", "STMTTRNP":
		return r.endEntry()
	case "STMTRS", "CCSTMTRS", "INVSTMTRS":
		return r.endStatement()
	}
	return nil
}

// value handles a tag that has a value.
func (r *reader) value(next token) error {
	if len(next.value) == 0 || len(r.open) == 0 {
		return nil
	}
	switch inner := r.open[len(r.open)-1]; inner {
	case "STATUS":
		r.status.set(next.name, r.decoder.line(next.value))
	case "FI":
		if next.name == "ORG" {
			r.bank = r.decoder.line(next.value)
		}
	case "STMTTRN", "STMTTRNP", "PAYEE", "EXTDPAYEE", "CURRENCY", "ORIGCURRENCY",
		"BANKACCTTO", "CCACCTTO", "INVACCTTO", "LOANACCTTO":
		if r.entry != nil {
			r.entry.set(inner, next.name, r.decoder, next.value)
		}
	default:
		if r.statement != nil {
			return r.statementValue(inner, next)
		}
	}
	return nil
}

// status is a STATUS aggregate: the result of a request to the bank, or of a part of it.
type status struct {
	line                    int
	code, severity, message string
}

func (s *status) set(name, text string) {
	switch name {
	case "CODE":
		s.code = text
	case "SEVERITY":
		s.severity = text
	case "MESSAGE":
		s.message = text
	}
}

// refusal is an error that the bank returned instead of a statement.
type refusal struct {
	line int
	text string
}

func (r *reader) endStatus() {
	s := r.status
	failed := s.severity == "ERROR" || s.severity == "" && s.code != "" && s.code != "0"
	if !failed {
		return
	}
	text := "error " + bank.Short(s.code)
	if s.message != "" {
		text += fmt.Sprintf(" (%q)", bank.Short(s.message))
	}
	if r.refusal == nil {
		r.refusal = &refusal{line: s.line, text: text}
	}
	r.sink.Problem(s.line, "the bank answered a part of the request with "+text)
}
