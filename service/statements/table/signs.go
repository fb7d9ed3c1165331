package table

import "strings"

// signForm says how a file with directions apart from amounts writes the latter. It is taken
// from the sample.
type signForm struct {
	debitNegative  bool // debits have a minus that says no more than their column
	creditNegative bool
	feeNegative    bool
	inAmounts      bool // the amounts' own signs agree with the column of directions
	magnitudes     bool // the column of directions counts, whatever signs the amounts have
}

// readSignForm counts signs in the sample.
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
