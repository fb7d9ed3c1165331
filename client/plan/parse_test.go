package plan_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tarmac/client/plan"
)

const example = `plan from 2026-11 in USD
# people
budget "Payroll" 62k/month on 15 and last: Gusto
hire 2 "engineer" 9k/month from March 2027 in "Payroll"  # two of them

tax "IRS" 12k every quarter on 15 from 2027-01: US Treasury
cost "Office move" 20k on 2027-02-10
income "Acme" 5k/month from January to December: Acme Corp, "Acme, Inc."
raise "Seed" 1.5M on 2027-06-15, takes 10 weeks
floor 100k
case "Lean": burn -10%
case "Lean": lose "Northwind" 8k/month from April
case "Paid": overdue
budget "Cloud" 900 EUR/month: Cumulus
budget "Clean" 50/week on Friday
budget "Interns" 2k/month from March, since 2027-03-02 as "Gusto"
`

func parse(t testing.TB, text string) *plan.Plan {
	t.Helper()
	p, err := plan.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p
}

func TestAPlanIsReadAndWrittenWithYears(t *testing.T) {
	p := parse(t, example)

	const want = `plan from 2026-11 in USD
budget "Payroll" 62,000/month on 15 and last: Gusto
hire 2 "engineer" 9,000/month from 2027-03 in "Payroll"
tax "IRS" 12,000 every quarter on 15 from 2027-01: US Treasury
cost "Office move" 20,000 on 2027-02-10
income "Acme" 5,000/month from 2027-01 to 2027-12: Acme Corp, "Acme, Inc."
raise "Seed" 1,500,000 on 2027-06-15, takes 10 weeks
floor 100,000
case "Lean": burn -10%
case "Lean": lose "Northwind" 8,000/month from 2027-04
case "Paid": overdue
budget "Cloud" 900 EUR/month: Cumulus
budget "Clean" 50/week on Friday
budget "Interns" 2,000/month from 2027-03, since 2027-03-02 as "Gusto"
`
	if p.String() != want {
		t.Errorf("written as\n%s", p)
	}
	if again := parse(t, p.String()); again.String() != want || len(again.Lines) != len(p.Lines) {
		t.Errorf("read again as\n%s", again)
	}
	if p.Lines[0].Number != 3 || len(p.Cases) != 2 {
		t.Errorf("%+v, cases %v", p.Lines[0], p.Cases)
	}
}

func TestMistakesAreNamedWithLineAndColumn(t *testing.T) {
	first := "plan from 2026-11 in USD\n"
	for text, want := range map[string]string{
		"":                                                         "line 1, column 1: expected a first line such as",
		"budget \"A\" 1/month":                                     "line 1, column 1: expected a first line such as",
		"plan from January in USD":                                 "line 1, column 11: expected a month with its year",
		"plan from 2026-11 in dollars":                             "line 1, column 22: expected a currency",
		first + "buget \"A\" 1/month":                              `line 2, column 1: expected budget, hire,`,
		first + "budget A 1/month":                                 `line 2, column 8: expected a name in quotation marks`,
		first + "budget \"A 1/month":                               `line 2, column 8: expected a closing quotation mark`,
		first + "budget \"A\" 1,20/month":                          `line 2, column 12: "1,20" must be an amount`,
		first + "budget \"A\" 1.205/month":                         `USD has 2 decimal places`,
		first + "budget \"A\" 0/month":                             `line 2, column 12: expected an amount above 0`,
		first + "budget \"A\" 12345678901234567890/month":          `"12345678901234567890" must be`,
		first + "budget \"A\" 99999999999999/month":                `the amount is too large`,
		first + "hire 9999 \"A\" 88000000000/month":                `the amount is too large`,
		first + "budget \"A\" 5":                                   `line 2, column 12: expected how often`,
		first + "budget \"A\" 5/year":                              `expected /week or /month`,
		first + "budget \"A\" 5/month on 32":                       `line 2, column 23: expected a day`,
		first + "budget \"A\" 5/month on 0":                        `line 2, column 23: expected a day`,
		first + "budget \"A\" 5/month on 5 and 5":                  `line 2, column 29: the day is there already`,
		first + "cost \"A\" 5":                                     `line 2, column 10: a cost needs a day`,
		first + "cost \"A\" 5 on 2027-02-30":                       `line 2, column 15: expected a day such as`,
		first + "cost \"A\" 5 on 2026-10-30":                       `line 2, column 15: 2026-10-30 is before the plan`,
		first + "raise \"A\" 5":                                    `line 2, column 11: a raise needs a day`,
		first + "budget \"A\" 5/month from 2026-10":                `or a later one; the plan begins in 2026-11`,
		first + "budget \"A\" 5/month from March to 2027-01":       `must be this month or a later one; it`,
		first + "hire \"A\" 5/month in \"B\"":                      `line 2, column 1: there is no budget "B"`,
		first + "budget \"A\" 5/month\ncost \"A\" 5 on 2027-01-01": `line 3, column 1: the name "A" is in line 2 already`,
		first + "budget \"A\" 5/month from March 2027 2028":        `line 2, column 25:`,
		first + "floor 5\nfloor 6":                                 `line 3, column 1: there is a floor already`,
		first + "burn 10":                                          `line 2, column 6: expected a whole percentage`,
		first + "burn +10%\nburn +5%":                              `line 3, column 1: there is a burn already`,
		first + "budget \"A\" 5/month: , B":                        `expected the name of a counterparty`,
		first + "budget \"A\" 5/month: A: B":                       `names with signs are written in quotation marks`,
		first + "raise \"A\" 5 on 2027-01-01, takes ten weeks":     `line 2, column 34: expected how long it takes`,
		first + "budget \"A\x1b[31m\" 5/month":                     `expected text without control`,
		first + strings.Repeat("# x\n", plan.MaxLines):             `line 2001, column 1: a plan has at most 2000 lines`,
		strings.Repeat("x", plan.MaxBytes+1):                       `a plan is at most 1 MB`,
	} {
		p, err := plan.Parse(text)
		var wrong *plan.Error
		if !errors.As(err, &wrong) || p != nil && p.First.IsZero() || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

func TestALineIsReadAlone(t *testing.T) {
	p := parse(t, example)
	l, err := p.ParseLine(`hire "designer" 7k/month from June in "Payroll"`)
	if err != nil || l.Text(p) != `hire "designer" 7,000/month from 2027-06 in "Payroll"` || len(p.Lines) != 13 {
		t.Errorf("%v, %v, %d lines", l, err, len(p.Lines))
	}
	for _, text := range []string{`hire "engineer" 7k/month`, "# nothing", "", "floor 5\nfloor 6", "floor 6"} {
		if l, err := p.ParseLine(text); err == nil {
			t.Errorf("%q is %s", text, l.Text(p))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Add("plan from 2026-11 in EUR\nincome \"a\"\"b\" 5 KWD every year on last: since x, takes")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := plan.Parse(text)
		if err != nil {
			var wrong *plan.Error
			if !errors.As(err, &wrong) || wrong.Line < 1 || wrong.Column < 1 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := plan.Parse(p.String())
		if err != nil {
			t.Fatalf("%q was written as %q: %v", text, p, err)
		}
		for i, l := range p.Lines {
			other := again.Lines[i]
			if l.Text(p) != other.Text(again) || !reflect.DeepEqual(l.Days, other.Days) || fmt.Sprint(l.Names) !=
				fmt.Sprint(other.Names) {
				t.Fatalf("%q was read again as %q", l.Text(p), other.Text(again))
			}
		}
	})
}
