package table

import "tarmac/service/statements/bank"

// decideSign decides whether positive amounts are money in or money out, and how the running
// balances follow from the amounts. It returns a *bank.Question if it cannot decide.
func (r *reader) decideSign() error {
	r.way, r.holds = r.bestReading()
	l, e := r.layout, r.evidence
	proved := r.proved()
	undecided := ""
	switch {
	case l.net, e.positive+e.negative == 0 && !l.sided():
		r.owed = proved && r.way&inverted != 0
		return nil
	case l.sided():
		return r.decideSides()
	case proved && r.way&inverted != 0:
		r.flip = true
		return nil
	case l.card:
		undecided = "the file is of a card, where purchases may be positive or negative"
	case e.texts.likeCard():
		undecided = "payments received are negative, as on a card"
	case proved, l.signs.minusBehind:
		return nil
	case e.texts.contradict():
		undecided = "the texts say that positive amounts are money out"
	case e.negative*10 < e.positive && !(l.account != none && l.otherAccount != none):
		undecided = "all amounts are positive, or nearly all, which may be money in or purchases"
	default:
		return nil
	}
	switch r.options.Sign {
	case bank.OutNegative:
		return nil
	case bank.OutPositive:
		// Balances that are rows of their own have the sign of the amounts.
		r.flip, r.owed = true, r.holds || l.balance == none
		return nil
	}
	choices := []string{string(bank.OutNegative), string(bank.OutPositive)}
	if e.texts.likeCard() || e.texts.contradict() || l.card && e.positive > e.negative {
		choices[0], choices[1] = choices[1], choices[0]
	}
	return &bank.Question{Place: e.line, Reason: undecided, Flag: "--sign", Choices: choices}
}

// decideSides decides whether debits are money out, as banks write, or money in, as companies keep
// the books of a bank account. A debit that raises the running balance is money in, unless the file
// is of a card and the balance is the debt. Without such balances, only columns of bookkeeping make
// it a question.
func (r *reader) decideSides() error {
	l, e := r.layout, r.evidence
	raises := r.proved() && r.way&inverted != 0
	asset := l.bookkeeping || e.debits <= e.credits // a card has more purchases than payments
	undecided := ""
	switch {
	case raises && (l.card || !l.ledgerSides || e.sides.likeBank()):
		r.owed = true
		return nil
	case raises && asset:
		r.flip = true
		return nil
	case raises:
		undecided = "debits raise the balance, which may be what a card owes or the books of an account"
	case r.proved() || !l.ledgerSides || !l.bookkeeping || l.card:
		return nil
	default:
		undecided = "the columns are of bookkeeping, where debits of a bank account are money in"
	}
	switch r.options.Sign {
	case bank.DebitOut:
		r.owed = raises
		return nil
	case bank.DebitIn:
		r.flip, r.owed = true, l.balance == none
		return nil
	}
	return &bank.Question{
		Place: e.firstSide, Reason: undecided, Flag: "--sign",
		Choices: []string{string(bank.DebitIn), string(bank.DebitOut)},
	}
}

// proved reports whether balances prove what the signs of amounts mean. Balances that are rows of
// their own are in the column of amounts. They prove it only if positive amounts lower them,
// because what a card owes rises with its purchases.
func (r *reader) proved() bool {
	return r.holds && (r.layout.balance != none || r.way&inverted != 0)
}

// bestReading returns the reading in which most running balances follow from the amounts. It leaves
// out newestFirst, which chain.direction decides for each account. It returns true if at least two
// thirds of the balances follow.
func (r *reader) bestReading() (reading, bool) {
	chains := make([]*chain, len(r.evidence.order))
	for i, of := range r.evidence.order {
		chains[i] = &of.chain
	}
	return r.bestReadingOf(chains)
}

// bestReadingOf returns the result of bestReading for some chains.
func (r *reader) bestReadingOf(chains []*chain) (reading, bool) {
	best, least, links := reading(0), -1, 0
	for _, way := range []reading{0, lessFees, inverted, inverted | lessFees} {
		if way&lessFees != 0 && r.evidence.fees.lines == 0 {
			continue
		}
		breaks := 0
		links = 0
		for _, c := range chains {
			toward, _ := c.direction(way)
			breaks += c.breaks[toward]
			links += c.links
		}
		if least < 0 || breaks < least {
			best, least = way, breaks
		}
	}
	return best, links > 0 && least*3 <= links
}
