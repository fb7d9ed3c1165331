package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// WhatIfExample shows changes as With reads them. It has a part of each short form.
const WhatIfExample = `hire 2 "engineer" 9k/month from March; burn -10; monthly -8k from January; ` +
	`once +500,000 in 2027-03; overdue; customer 12,000 from 2027-02`

// ErrWhatIf means that a text has no changes. Its text shows an example.
var ErrWhatIf = errors.New("for example: " + WhatIfExample)

// With returns a plan with changes that a person supposes, and the texts of the lines that were
// added. The changes are divided by semicolons. Each is a line of a plan, or has a short form: a
// change of the net burn in percent, an amount each month or once with its sign, or the monthly
// revenue of a customer who leaves. Changes belong to a case unless its name is "". The errors are
// for people.
func (p *Plan) With(text, ofCase string, today civil.Date) (with *Plan, lines []string, err error) {
	with = &Plan{First: p.First, Currency: p.Currency, Lines: slices.Clone(p.Lines), Cases: slices.Clone(p.Cases)}
	number, all := 1, divided(text)
	for _, l := range p.Lines {
		number = max(number, l.Number)
	}
	for _, change := range all {
		line, err := with.lineOf(change, ofCase, today)
		if err != nil {
			return nil, nil, err
		}
		if ofCase != "" {
			line = "case " + quote(ofCase) + ": " + line
		}
		number++
		var wrong *Error
		err = with.add(number, line)
		if err == nil {
			err = with.link()
		}
		switch {
		case errors.As(err, &wrong) && len(all) > 1:
			return nil, nil, fmt.Errorf("%s: %s", change, wrong.Text)
		case errors.As(err, &wrong):
			return nil, nil, errors.New(wrong.Text)
		case err != nil:
			return nil, nil, err
		}
		lines = append(lines, with.Lines[len(with.Lines)-1].Text(with))
	}
	if len(lines) == 0 {
		return nil, nil, ErrWhatIf
	}
	return with, lines, nil
}

// divided returns the parts of a text between semicolons outside of quotation marks that are not
// blank.
func divided(text string) (parts []string) {
	quoted := false
	all := strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ';' && !quoted
	})
	for _, part := range all {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// lineOf returns a change as a line of the plan.
func (p *Plan) lineOf(change, ofCase string, today civil.Date) (string, error) {
	words := strings.Fields(strings.ToLower(change))
	switch words[0] {
	case string(Burn):
		if rest := strings.Fields(change)[1:]; len(rest) > 0 && !strings.HasSuffix(rest[0], "%") {
			rest[0] += "%"
			return string(Burn) + " " + strings.Join(rest, " "), nil
		}
	case "monthly", "once", "customer":
		return p.shortForm(words, ofCase, today)
	}
	return change, nil
}

// shortForm returns the line of "monthly -8k from January", "once +5k in March" or "customer 12k
// from March".
func (p *Plan) shortForm(words []string, ofCase string, today civil.Date) (string, error) {
	month, figure := today.FirstOfMonth(), words[1:]
	if at := slices.IndexFunc(figure, func(word string) bool { return word == "from" || word == "in" }); at >= 0 {
		var err error
		text := strings.Join(figure[at+1:], " ")
		if month, err = civil.ParseMonth(text, today); text == "" || err != nil {
			return "", fmt.Errorf("%q %w", text, cmp.Or(err, civil.ErrMonth))
		}
		figure = figure[:at]
	}
	month = later(month, p.First)
	text, kind := strings.Join(figure, " "), Lose
	if text == "" {
		return "", ErrWhatIf
	}
	parse := money.Parse
	if words[0] != "customer" {
		parse = money.ParseSigned
	}
	minor, err := parse(text, p.Currency)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q %w", text, err)
	case words[0] != "customer" && minor > 0:
		kind = Income
	case words[0] == "once":
		kind = Cost
	case words[0] != "customer":
		kind = Budget
	}
	amount := money.Format(max(minor, -minor), p.Currency)
	line := fmt.Sprintf("%s %s %s", kind, quote(p.freeName(words[0], ofCase)), amount)
	if words[0] != "once" {
		return line + "/month from " + month.String()[:7], nil
	}
	return line + " on " + later(month, today.AddDays(1)).String(), nil
}

func later(a, b civil.Date) civil.Date {
	if a.After(b) {
		return a
	}
	return b
}

// freeName returns a name that no line of the plan or of the case has.
func (p *Plan) freeName(name, ofCase string) string {
	free := name
	taken := func(l *Line) bool { return l.Name == free && (l.Case == "" || l.Case == ofCase || ofCase == "") }
	for n := 2; slices.ContainsFunc(p.Lines, taken); n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	return free
}

// FreeCase returns the name of a case that the plan does not have: "A", "B" and so on. It returns
// false if the plan has as many cases as it may have.
func (p *Plan) FreeCase() (string, bool) {
	for letter := 'A'; letter < 'A'+MaxCases; letter++ {
		if !contains(p.Cases, string(letter)) {
			return string(letter), len(p.Cases) < MaxCases
		}
	}
	return "", false
}
