package figures

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// Assumed says which accounts are assumed to be unchanged after their last statement, such as "BOI
// Deposit …7733: no lines since 30 Sep, assumed unchanged." It returns "" if there are none.
func (c Cash) Assumed() string {
	if c.Position == nil {
		return ""
	}
	var sentences []string
	for _, a := range accountsOf(c.Position) {
		if a.AssumedTo == nil || a.ProvenTo == nil {
			continue
		}
		if source := a.AssumedTo.Source; source == apiclient.AssumedQuiet || source == apiclient.AssumedBalance {
			sentences = append(sentences, a.Account+": no lines since "+
				shortDay(a.ProvenTo.Day, civil.Of(c.Position.AsOf))+", assumed unchanged.")
		}
	}
	return strings.Join(sentences, " ")
}
