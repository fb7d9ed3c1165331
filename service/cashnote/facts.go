package cashnote

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tarmac/internal/readings"
)

// mostGaps is the largest number of ranges of days that a note holds. With more, the oldest become
// one, because a gap that is shown too long is less harmful than one that is not shown.
const mostGaps = 40

// String returns the note as the API sends it: the sentences, and after them the facts in brackets,
// such as "[left out: questions=1 in=3140000 low=1210000/410 high=2400000/132]". Facts of zero are
// left out, and the brackets too if there are none. Brackets at the end of the sentences, which
// could be taken for them, are removed.
func (n Note) String() string {
	prose := n.Prose
	for facts.MatchString(prose) {
		prose = facts.ReplaceAllString(prose, "")
	}
	fields := n.fields()
	if len(fields) == 0 {
		return prose
	}
	return strings.TrimSpace(prose + " [left out: " + strings.Join(fields, " ") + "]")
}

func (f Facts) fields() []string {
	var fields []string
	add := func(key string, value int64) {
		if value != 0 {
			fields = append(fields, key+"="+strconv.FormatInt(value, 10))
		}
	}
	add("rates", int64(f.Unrated))
	if u := f.Unanswered; u.Questions > 0 {
		add("questions", int64(u.Questions))
		add("in", u.InMinor)
		add("out", u.OutMinor)
		add("transfers", int64(u.Transfers))
		fields = append(fields, "low="+field(u.Low), "high="+field(u.High))
	}
	if gaps := f.Uncovered; len(gaps) > 0 {
		if more := len(gaps) - mostGaps; more > 0 {
			gaps = append([]Days{{gaps[0].First, gaps[more].Last}}, gaps[more+1:]...)
		}
		texts := make([]string, len(gaps))
		for n, days := range gaps {
			texts[n] = days.First.String() + ".." + days.Last.String()
		}
		fields = append(fields, "gaps="+strings.Join(texts, ","))
	}
	if !f.CoveredTo.IsZero() {
		fields = append(fields, "covered="+f.CoveredTo.String())
	}
	add("forgotten", int64(f.Forgotten))
	add("forgotten_cash", f.ForgottenMinor)
	return fields
}

func field(r readings.Reading) string { return fmt.Sprintf("%d/%d", r.BurnMinor, r.Tenths) }

// facts matches the facts at the end of a note.
var facts = regexp.MustCompile(`\s*\[left out: ([^\[\]]*)\]\s*$`)
