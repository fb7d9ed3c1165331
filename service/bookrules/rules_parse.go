package bookrules

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"tarmac/internal/termtext"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// ruleKeys lists the keys of a rule, in the order in which error messages list them.
var ruleKeys = []string{
	"match", "account", "amount", "direction", "counterparty", "category", "memo", "transfer",
}

var ruleHeading = regexp.MustCompile(`(?m)^\s*\[\[\s*rule\s*\]\]`)

// HoldsRules reports whether a text has a rule as in a rules file.
func HoldsRules(text []byte) bool { return ruleHeading.Match(text) }

// ParseRules parses a rules file: TOML with a table [[rule]] for each rule. The error is one line
// that begins with the number of the wrong line.
func ParseRules(text []byte) (Rules, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("line 1: the rules are not UTF-8 text")
	}
	var tree map[string]any
	if _, err := toml.Decode(string(text), &tree); err != nil {
		return nil, unreadableRules(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		if key != "rule" {
			return nil, fmt.Errorf("line %d: %s is not known here; write each rule below a line [[rule]]",
				keyLine(lines, key)+1, termtext.Line(key))
		}
	}
	var headings []int
	for i, line := range lines {
		if ruleHeading.MatchString(line) {
			headings = append(headings, i)
		}
	}
	tables, isTables := tree["rule"].([]map[string]any)
	if tree["rule"] != nil && !isTables || len(tables) != len(headings) {
		return nil, fmt.Errorf("line %d: write each rule below a line [[rule]]", keyLine(lines, "rule")+1)
	}
	rules := make(Rules, len(tables))
	for i, table := range tables {
		end := len(lines)
		if i+1 < len(headings) {
			end = headings[i+1]
		}
		rules[i].Line = headings[i] + 1
		if err := rules[i].read(table, lines[headings[i]:end]); err != nil {
			return nil, err
		}
	}
	return rules, nil
}

// unreadableRules returns the error for a rules file that is not valid TOML.
func unreadableRules(err error) error {
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return fmt.Errorf("line %d: %s", syntax.Position.Line, termtext.Line(syntax.Message))
	}
	return errors.New(termtext.Line(err.Error()))
}

// keyLine returns the index of the line that begins with the key. Without such a line it returns 0,
// so that an error names the first line of the rule.
func keyLine(lines []string, key string) int {
	starts := regexp.MustCompile(`^\s*\[*\s*["']?` + regexp.QuoteMeta(key) + `["']?\s*[=.\]]`)
	return max(0, slices.IndexFunc(lines, starts.MatchString))
}

// read sets the fields of the rule from its TOML table. lines is the text of the table, in which
// errors find line numbers.
func (r *Rule) read(table map[string]any, lines []string) error {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if err := r.set(key, table[key]); err != nil {
			return fmt.Errorf("line %d: %s %w", r.Line+keyLine(lines, key), termtext.Line(key), err)
		}
	}
	if r.Match == nil {
		return fmt.Errorf("line %d: the rule has no match, which is a regular expression such as match = \"github\"", r.Line)
	}
	return nil
}

// set sets the field of the rule that belongs to a TOML key.
func (r *Rule) set(key string, value any) error {
	switch key {
	case "amount":
		return r.setAmount(value)
	case "transfer":
		if own, isBool := value.(bool); isBool {
			r.Transfer = TransferRule{Set: true, Own: own}
			return nil
		}
	}
	text, isText := value.(string)
	switch {
	case !slices.Contains(ruleKeys, key):
		return fmt.Errorf("is not a key of a rule; there are %s", strings.Join(ruleKeys, ", "))
	case !isText && key == "transfer":
		return errors.New("must be true, false or the other account")
	case !isText || strings.TrimSpace(text) == "":
		return errors.New("must be a text in quotes")
	}
	switch key {
	case "match":
		return r.setMatch(text)
	case "account":
		r.Account = text
	case "direction":
		return r.setDirection(text)
	case "counterparty":
		r.Counterparty = text
	case "category":
		r.Category = category(text)
	case "memo":
		r.Memo = text
	case "transfer":
		r.Transfer = TransferRule{Set: true, Own: true, Account: text}
	}
	return nil
}

func (r *Rule) setMatch(text string) error {
	if _, err := regexp.Compile(text); err != nil {
		return fmt.Errorf(
			"is not a regular expression: %s",
			termtext.Line(strings.TrimPrefix(err.Error(), "error parsing regexp: ")),
		)
	}
	match, err := regexp.Compile("(?i:" + text + ")")
	if err != nil {
		return errors.New("is too long a regular expression")
	}
	r.Match = match
	return nil
}

func (r *Rule) setDirection(text string) error {
	directions := map[string]ledger.Direction{
		"in": ledger.Inflow, "inflow": ledger.Inflow, "out": ledger.Outflow, "outflow": ledger.Outflow,
	}
	d, known := directions[text]
	if !known {
		return errors.New(`must be "in" or "out"`)
	}
	r.Direction = &d
	return nil
}

// setAmount sets the amount from a TOML number or string. A number keeps the decimals that it has
// in the file, if it has at most fifteen digits.
func (r *Rule) setAmount(value any) error {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case int64:
		text = strconv.FormatInt(v, 10)
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	const mostDecimals = "CLF"
	if minor, err := bank.ParseAmount(text, '.', mostDecimals); err != nil || minor < 0 {
		return errors.New("must be an amount without a sign, such as 49.90; direction says which way it goes")
	}
	r.Amount = text
	return nil
}

// category returns the category that a rule's text names. Categories that net burn excludes are
// recognized only by their exact names.
func category(text string) string {
	for _, name := range [...]string{ledger.CategoryFinancing, ledger.CategoryInternalTransfer} {
		if strings.EqualFold(text, name) {
			return name
		}
	}
	return text
}
