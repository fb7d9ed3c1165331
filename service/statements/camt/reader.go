package camt

import (
	"bytes"
	"io"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/elements"
)

// reader reads the elements of a file in order.
type reader struct {
	options bank.Options
	sink    bank.Sink
	tokens  *elements.Reader

	messages   int
	page       string     // page number of the message; "" if it has none
	statements int        // number of statements that were passed to the sink
	base       int        // number of open elements up to and including the statement
	statement  *statement // nil outside of statements
	entry      *entry     // nil outside of entries
}

func (r *reader) read() error {
	for {
		next, err := r.tokens.Next()
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
	case r.messages == 0:
		return bank.Errorf(0, "contains no CAMT message")
	case r.statements == 0:
		return bank.Errorf(0, "contains no statement, report or notification of an account")
	}
	return nil
}

// take handles a start or end tag.
func (r *reader) take(next elements.Tag) error {
	if next.End {
		return r.ended(next)
	}
	return r.begin(next)
}

// begin handles a start tag.
func (r *reader) begin(next elements.Tag) error {
	if r.statement == nil {
		return r.beginOutside(next)
	}
	switch part := r.part(); {
	case string(part) == "/Ntry":
		return r.beginEntry(next)
	case r.entry != nil:
		r.entry.begin(part, next)
	case string(part) == "/Bal":
		r.statement.balance = balance{line: next.Line}
	case string(part) == "/Bal/Amt":
		r.statement.balance.currency = next.Attribute("Ccy")
	}
	return nil
}

// beginOutside handles a start tag outside of statements.
func (r *reader) beginOutside(next elements.Tag) error {
	switch {
	case isMessage(next.Name):
		r.messages++
		r.page = ""
	case isMessage(r.tokens.Parent()):
		r.beginStatement(next)
	}
	return nil
}

// isMessage reports whether an element is a message that this package reads. In version 1, its name
// ends with V01.
func isMessage(name []byte) bool {
	name = bytes.TrimSuffix(name, []byte("V01"))
	switch string(name) {
	case "BkToCstmrStmt", "BkToCstmrAcctRpt", "BkToCstmrDbtCdtNtfctn":
		return true
	}
	return false
}

// part returns the path of the current element below the statement, such as "/Ntry/Amt".
func (r *reader) part() []byte {
	return r.tokens.Path(r.base)
}

// ended handles the end of an element, of which all text was read.
func (r *reader) ended(tag elements.Tag) error {
	if r.statement == nil {
		r.endedOutside()
		return nil
	}
	part := r.part()
	switch {
	case len(part) == 0:
		return r.endStatement()
	case string(part) == "/Ntry":
		return r.endEntry()
	case r.entry != nil:
		if tag.Leaf {
			r.entry.set(part, r.tokens)
		}
		r.entry.ended(part)
		return nil
	case string(part) == "/Bal":
		return r.endBalance()
	case tag.Leaf:
		return r.statementValue(part, tag.Line)
	}
	return nil
}

// endedOutside handles the end of an element outside of statements. It stores the page number of
// the message.
func (r *reader) endedOutside() {
	switch {
	case bytes.HasSuffix(r.tokens.Path(0), []byte("/GrpHdr/MsgPgntn/PgNb")):
		r.page = r.tokens.Value()
	case bytes.HasSuffix(r.tokens.Path(0), []byte("/GrpHdr/MsgPgntn/LastPgInd")):
		if value := r.tokens.Value(); r.page != "" && (value == "false" || value == "0") {
			r.sink.Problem(r.tokens.Line(), "this is page "+bank.Short(r.page)+" of a message that goes on in another file")
		}
	}
}
