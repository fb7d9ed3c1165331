package plain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestThePlanIsSaidInWords(t *testing.T) {
	k := talk{client: serve(t).client, planFile: filepath.Join(t.TempDir(), "a.plan")}
	inOrder(t, k.say(t, "2", "plan"), `There is no plan yet`)

	first := time.Now().UTC().AddDate(0, 0, -70).Format("2006-01")
	write := func(text string) {
		if err := os.WriteFile(k.planFile, []byte("plan from "+first+" in USD\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("budget \"Payroll\" 1k/month: Ledgerline Payroll\nraise \"Seed\" 5k on 2090-01-01, takes 3 weeks\nfloor 1k\n" +
		"case \"Lean\": burn -10%\n")
	text := k.say(t, "2", "plan", "plan last month", "plan soon")
	inOrder(t, text, `The plan, hypothetical`, `current: cash in 3 months \$.*runway .* months, zero cash in `,
		`plan: cash in`, `plan without raises: `, `case Lean: `, `Without the raise cash is below \$1,000\.00 on `,
		`Reading the transactions|against the plan\. Money out is minus\.`,
		`Payroll, planned minus \$1,000\.00, actual minus \$`, `\(not planned\), `, `Own movements, `,
		`Net of `, `Type plan and a month`,
		`Plan: Must be a month`)

	weeks := k.say(t, "2", "forecast plan", "open 13", "forecast Lean", "forecast Other")
	inOrder(t, weeks, `1: week 1, until .*, plan minus \$\d`, `Hypothetical, with 2 lines of a plan: about minus \$`,
		`to [0-9-]+: planned, budget Payroll, minus \$\d`, `Hypothetical, with 3 lines of a plan`,
		`Forecast: Must be plan or the name of one of its cases: Lean\.`)
	masked := afterMask(t, k.say(t, "2", "mask", "plan", "plan last month", "forecast plan", "open 13"))
	if strings.Contains(masked, "$") {
		t.Errorf("masked:\n%s", masked)
	}
	write("budget \"Payroll\" 1,20/month\n")
	inOrder(t, k.say(t, "2", "plan"), `Plan: .*a\.plan: line 2, column 18: "1,20" must be an amount`)
}
