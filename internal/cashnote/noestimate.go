package cashnote

import "regexp"

// noEstimate matches the sentences at the beginning of a note that say why there is no estimate. It
// matches whole sentences of fixed words, so that nothing else that a server may write counts.
var noEstimate = regexp.MustCompile(`^(?:` +
	`Not enough history: (?:\d{1,2} of \d{1,2} full months|` +
	`the statements of all accounts cover no two consecutive full months)|` +
	`No estimate: (?:no account has both a balance and \d{1,2} full months of history|` +
	`the newest full months that all accounts cover, \d{4}-\d\d to \d{4}-\d\d, are too old|` +
	`\d{1,19} of \d{1,19} transactions of \d{4}-\d\d to \d{4}-\d\d have no [A-Z]{3} rate)` +
	`)\.(?: |$)`)

// ToRemember says what to do about forgotten accounts (Facts.Forgotten).
const ToRemember = "Import newer ones, or say with `tarmac books role` that an account is closed."

// WhyNoEstimate returns the sentence with which the note says why there is no estimate of burn and
// runway. It returns "" if the note does not begin with one that this version knows.
func WhyNoEstimate(note string) string {
	found := noEstimate.FindString(note)
	if len(found) > 0 && found[len(found)-1] == ' ' {
		return found[:len(found)-1]
	}
	return found
}
