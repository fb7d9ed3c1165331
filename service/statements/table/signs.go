package table

import "strings"

// signForm says how signs are written in a file that has the direction in a separate column.
type signForm struct {
	debitNegative  bool // true if most debits have a minus, which then has no meaning of its own
	creditNegative bool
	feeNegative    bool
	inAmounts      bool // true if the signs of amounts agree with the column of directions
	// magnitudes is true if the signs of amounts are meaningless, so that only the column of
	// directions counts.
	magnitudes bool
	// unmarked is the direction of amounts without a mark in a file that marks the others with CR
	// alone (-1) or with DR alone (1); else 0.
	unmarked int
	// minusBehind is true if money out has its minus behind the number. No other sign is then
	// meant, except on cards, which mark payments received so.
	minusBehind bool
}

// readSignForm infers the signForm from the signs in the given records, which have the direction in
// a separate column.
func (l *layout) readSignForm(records []record) signForm {
	count := func(column int) (negative, positive int) {
		for i := range records {
			amount, ok := scanAmount(records[i].field(column))
			switch {
			case !ok || !strings.ContainsAny(amount.number, "123456789"):
			case strings.ContainsAny(amount.number, "-("):
				negative++
			default:
				positive++
			}
		}
		return negative, positive
	}
	var form signForm
	negative, positive := count(l.debit)
	form.debitNegative = negative > positive
	negative, positive = count(l.credit)
	form.creditNegative = negative > positive
	negative, positive = count(l.fee)
	form.feeNegative = negative > positive
	if l.sign == none {
		l.readMarks(records, &form)
		return form
	}
	var agree, disagree int
	for i := range records {
		negative, positive := 0, 0
		if amount, ok := scanAmount(records[i].field(l.amount)); ok && strings.ContainsAny(amount.number, "123456789") {
			negative = boolean(strings.ContainsAny(amount.number, "-("))
			positive = 1 - negative
		}
		switch debitOrCredit(records[i].field(l.sign)) {
		case -1:
			agree, disagree = agree+negative, disagree+positive
		case 1:
			agree, disagree = agree+positive, disagree+negative
		}
	}
	negative, _ = count(l.amount)
	form.inAmounts = negative > 0 && disagree == 0
	form.magnitudes = negative > 0 && agree == 0
	return form
}

// readMarks infers from the given records what amounts without a mark mean if others have one.
func (l *layout) readMarks(records []record, form *signForm) {
	var debits, credits, before, behind int
	for i := range records {
		amount, ok := scanAmount(records[i].field(l.amount))
		if !ok {
			continue
		}
		debits, credits = debits+boolean(amount.debit), credits+boolean(amount.credit)
		before += boolean(strings.ContainsAny(amount.number, "(") || strings.LastIndexByte(amount.number, '-') == 0)
		if strings.HasSuffix(amount.number, "-") {
			behind++
			l.card = l.card || anyOf(strings.ToLower(records[i].text), paidTexts)
		}
	}
	switch {
	case before > 0:
	case credits > 0 && debits == 0:
		form.unmarked = -1
	case debits > 0 && credits == 0:
		form.unmarked = 1
	}
	form.minusBehind = behind > 0 && before == 0 && !l.card
}
