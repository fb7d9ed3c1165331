package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
)

// carriedOver is the comment before the cases that were what-ifs once. A text with it is not given
// them again.
const carriedOver = "# what-ifs of earlier versions"

// WhatIfPrefix is how the names of files with what-ifs begin.
const WhatIfPrefix = "what-if-"

// maxWhatIfs is the largest size of a file with what-ifs, in bytes.
const maxWhatIfs = 64 << 10

// whatIfs is the content of a file with what-ifs, which earlier versions wrote for an organization:
// the day on which they were typed, and their fields.
type whatIfs struct {
	Day     string `json:"day"`
	WhatIfs []*struct {
		// Name, change of the net burn, monthly amount and its month, amount once and its month,
		// "", monthly revenue of a customer who leaves, and its month.
		Fields   [9]string `json:"fields"`
		Overdue  bool      `json:"overdue"`
		Currency string    `json:"currency"` // of the amounts; "" for the US dollar
	} `json:"what_ifs"`
}

// HasCarriedOver reports whether the text of a plan has the what-ifs of earlier versions.
func HasCarriedOver(text string) bool { return strings.Contains(text, carriedOver) }

// CarryOver returns the text of a plan with the what-ifs that earlier versions saved for an
// organization as cases, unless it had them before. "" is no text yet. The file with the what-ifs
// stays in its place. What cannot be read as lines, or is in another currency, becomes a comment.
func CarryOver(text string, folder state.Folder, origin, org, currency string) string {
	if folder == nil || HasCarriedOver(text) {
		return text
	}
	data, err := folder.Read(WhatIfPrefix+draft.FileName(draft.OrgKey(origin, org))+".json", maxWhatIfs)
	var old whatIfs
	if errors.Is(err, fs.ErrNotExist) || json.Unmarshal(data, &old) != nil {
		return text
	}
	day, err := civil.Parse(old.Day)
	if err != nil {
		return text
	}
	if text == "" {
		text = Begin(day, currency)
	}
	p, err := Parse(text)
	if err != nil {
		return text
	}
	var lines []string
	for i, one := range old.WhatIfs {
		if one == nil {
			continue
		}
		from := cmp.Or(one.Currency, apiclient.DefaultCurrency)
		name := strings.TrimSpace(one.Fields[0])
		if letter := string(rune('A' + i)); name == "" || contains(p.Cases, name) {
			name = letter
		}
		text := changes(one.Fields, one.Overdue)
		with, added, err := p.With(text, name, later(day, p.First))
		hasAmounts := one.Fields[2]+one.Fields[4]+one.Fields[7] != ""
		if err != nil || hasAmounts && from != p.Currency {
			lines = append(lines, "# "+termtext.Line(name+", in "+from+": "+text))
			continue
		}
		p, lines = with, append(lines, added...)
	}
	if len(lines) == 0 {
		return text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fmt.Sprintf("%s\n%s\n%s\n", text, carriedOver, strings.Join(lines, "\n"))
}

// changes returns the fields of a what-if in short forms.
func changes(fields [9]string, overdue bool) string {
	var parts []string
	add := func(word, value, at, month string) {
		if value = strings.TrimSpace(value); value == "" {
			return
		}
		if month = strings.TrimSpace(month); month != "" {
			month = " " + at + " " + month
		}
		parts = append(parts, word+" "+value+month)
	}
	add("burn", strings.TrimSuffix(fields[1], "%"), "", "")
	add("monthly", fields[2], "from", fields[3])
	add("once", fields[4], "in", fields[5])
	if overdue {
		parts = append(parts, string(Overdue))
	}
	add("customer", fields[7], "from", fields[8])
	return strings.Join(parts, "; ")
}
