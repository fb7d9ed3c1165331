package table

import "tarmac/service/statements/bank"

// decideSign decides whether positive amounts are money in or money out, and how the running
// balances follow from the amounts. It returns a *bank.Question if it cannot decide.
func (r *reader) decideSign() error {
	way, holds := r.bestReading()
	r.way, r.holds = way, holds
	l, e := r.layout, r.evidence
	undecided := ""
	switch {
	case e.positive+e.negative == 0, l.net:
		r.owed = holds && way&inverted != 0
		return nil
	case holds && way&inverted != 0:
		r.flip = true
		return nil
	case l.card:
		undecided = "the file is of a card, where purchases may be positive or negative"
	case e.texts.likeCard():
		undecided = "payments received are negative, as on a card"
	case holds:
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
		r.flip, r.owed = true, holds
		return nil
	}
	choices := []string{string(bank.OutNegative), string(bank.OutPositive)}
	if e.texts.likeCard() || e.texts.contradict() || l.card && e.positive > e.negative {
		choices[0], choices[1] = choices[1], choices[0]
	}
	return &bank.Question{Place: e.line, Reason: undecided, Flag: "--sign", Choices: choices}
}

// bestReading returns the reading in which most running balances follow from the amounts. It leaves
// out newestFirst, which chain.direction decides for each account. It returns true if at least two
// thirds of the balances follow.
func (r *reader) bestReading() (reading, bool) {
	best, least, links := reading(0), -1, 0
	for _, way := range []reading{0, lessFees, inverted, inverted | lessFees} {
		if way&lessFees != 0 && r.evidence.fees.lines == 0 {
			continue
		}
		breaks := 0
		links = 0
		for _, of := range r.evidence.order {
			toward, _ := of.chain.direction(way)
			breaks += of.chain.breaks[toward]
			links += of.chain.links
		}
		if least < 0 || breaks < least {
			best, least = way, breaks
		}
	}
	return best, links > 0 && least*3 <= links
}
