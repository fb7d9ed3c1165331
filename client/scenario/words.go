package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/civil"
)

// Example is a scenario in the notation of Parse. It contains a part of each kind.
const Example = "burn -10; monthly -8k from January; once +500,000 in 2027-03; overdue; customer 12,000 from 2027-02"

// ErrParse means that a text is not a scenario. Its text shows an example.
var ErrParse = errors.New("for example: suppose " + Example)

// fieldNamed maps words that the user types to the fields of a scenario.
var fieldNamed = map[string]Field{
	"burn": BurnField, "monthly": MonthlyField, "once": OnceField, "customer": CustomerField,
}

// Parse parses a scenario in words, such as Example. It consists of parts separated by semicolons;
// each part is a word followed by its figures. A part without a month begins in the current month.
// Amounts are in the given currency. The errors are sentences for the user.
func Parse(text string, today civil.Date, currency string) (Scenario, error) {
	in := Input{}
	in.Texts[NameField] = text
	for part := range strings.SplitSeq(text, ";") {
		what, month, err := splitMonth(part)
		if err != nil {
			return Scenario{}, err
		}
		word, figure, _ := strings.Cut(what, " ")
		field, known := fieldNamed[word]
		switch {
		case what == "":
		case word == "overdue" && !strings.Contains(figure, " "):
			in.Overdue = true
		case !known || figure == "":
			return Scenario{}, ErrParse
		case !field.IsAmount():
			in.Texts[field] = figure
		default:
			in.Texts[field], in.Texts[field+1] = figure, month
		}
	}
	one, wrong := in.Read(today, currency)
	for at, problem := range wrong.Fields {
		if problem != "" {
			return one, fmt.Errorf("%q %s", in.Texts[at], problem)
		}
	}
	if wrong.Any() {
		return one, ErrParse
	}
	return one, nil
}

// splitMonth splits a part of a scenario at the word "from" or "in" into its figures and its month.
func splitMonth(part string) (what, month string, err error) {
	words := strings.Fields(strings.ToLower(part))
	at := slices.IndexFunc(words, func(word string) bool { return word == "from" || word == "in" })
	if at < 0 {
		return strings.Join(words, " "), "", nil
	}
	if at == len(words)-1 {
		return "", "", fmt.Errorf("%q %w", words[at], civil.ErrMonth)
	}
	return strings.Join(words[:at], " "), strings.Join(words[at+1:], " "), nil
}
