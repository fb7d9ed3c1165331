package camt

import (
	"bytes"
	"context"
	"io"

	"tarmac/service/statements/bank"
)

// reader reads the elements of a file in order.
type reader struct {
	ctx     context.Context
	options bank.Options
	sink    bank.Sink
	tokens  *tokenizer

	// path has the names of the open elements, each after a slash. starts has the index in path at
	// which each of them begins.
	path   []byte
	starts []int
	leaf   bool // true if the innermost element had no child so far

	messages   int
	page       string     // page number of the message; "" if it has none
	statements int        // number of statements that were passed to the sink
	base       int        // number of open elements up to and including the statement
	statement  *statement // nil outside of statements
	entry      *entry     // nil outside of entries
}

func (r *reader) read() error {
	for count := 0; ; count++ {
		if count%1024 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
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
	case len(r.starts) > 0:
		return bank.Errorf(r.tokens.line, "the file ends within <%s>: it is cut short", r.name(len(r.starts)-1))
	case r.messages == 0:
		return bank.Errorf(0, "contains no CAMT message")
	case r.statements == 0:
		return bank.Errorf(0, "contains no statement, report or notification of an account")
	}
	return nil
}

// name returns the name of the open element with the given index. It returns nil if there is none.
func (r *reader) name(index int) []byte {
	if index < 0 || index >= len(r.starts) {
		return nil
	}
	end := len(r.path)
	if index+1 < len(r.starts) {
		end = r.starts[index+1]
	}
	return r.path[r.starts[index]+1 : end]
}

// take handles a start or end tag.
func (r *reader) take(next token) error {
	if next.end {
		return r.end(next)
	}
	if len(r.starts) == maxDepth {
		return bank.Errorf(next.line, "elements are nested deeper than %d", maxDepth)
	}
	r.starts = append(r.starts, len(r.path))
	r.path = append(append(r.path, '/'), next.name...)
	r.leaf = true
	if err := r.begin(next); err != nil || !next.closed {
		return err
	}
	r.tokens.text = r.tokens.text[:0]
	return r.end(next)
}

// begin handles a start tag.
func (r *reader) begin(next token) error {
	if r.statement == nil {
		return r.beginOutside(next)
	}
	switch part := r.part(); {
	case string(part) == "/Ntry":
		return r.beginEntry(next)
	case r.entry != nil:
		r.entry.begin(part, next)
	case string(part) == "/Bal":
		r.statement.balance = balance{line: next.line}
	case string(part) == "/Bal/Amt":
		r.statement.balance.currency = next.attribute("Ccy")
	}
	return nil
}

// beginOutside handles a start tag outside of statements.
func (r *reader) beginOutside(next token) error {
	switch {
	case isMessage(next.name):
		r.messages++
		r.page = ""
	case isMessage(r.name(len(r.starts) - 2)):
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
	if len(r.starts) <= r.base {
		return nil
	}
	return r.path[r.starts[r.base]:]
}

// end handles an end tag.
func (r *reader) end(next token) error {
	innermost := len(r.starts) - 1
	if !bytes.Equal(r.name(innermost), next.name) {
		if innermost < 0 {
			return bank.Errorf(next.line, "</%s> ends what was not begun", next.name)
		}
		return bank.Errorf(next.line, "</%s> ends <%s>", next.name, r.name(innermost))
	}
	if err := r.ended(next.line); err != nil {
		return err
	}
	r.path = r.path[:r.starts[innermost]]
	r.starts = r.starts[:innermost]
	r.leaf = false
	return nil
}

// ended handles the end of an element, of which all text was read.
func (r *reader) ended(line int) error {
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
		if r.leaf {
			r.entry.set(part, r.tokens)
		}
		r.entry.ended(part)
		return nil
	case string(part) == "/Bal":
		return r.endBalance()
	case r.leaf:
		return r.statementValue(part, line)
	}
	return nil
}

// endedOutside handles the end of an element outside of statements. It stores the page number of
// the message.
func (r *reader) endedOutside() {
	switch {
	case bytes.HasSuffix(r.path, []byte("/GrpHdr/MsgPgntn/PgNb")):
		r.page = r.tokens.value()
	case bytes.HasSuffix(r.path, []byte("/GrpHdr/MsgPgntn/LastPgInd")):
		if value := r.tokens.value(); r.page != "" && (value == "false" || value == "0") {
			r.sink.Problem(r.tokens.line, "this is page "+bank.Short(r.page)+" of a message that goes on in another file")
		}
	}
}
