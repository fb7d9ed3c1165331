package scenario_test

import (
	"strings"
	"testing"

	"tarmac/client/scenario"
)

// input returns an input with text in one field.
func input(at scenario.Field, text string) scenario.Input {
	var in scenario.Input
	in.Texts[at] = text
	return in
}

func TestChangesAreReadWithTheirSign(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, " ": 0, "+5,000": 500000, "-1,200.50": -120050, "+$5": 500, "- 5": -500, "-24k": -2400000, "+1.5M": 150000000,
	} {
		one, wrong := input(scenario.MonthlyField, text).Read(today, "USD")
		if one.Monthly != want || wrong.Fields[scenario.MonthlyField] != "" {
			t.Errorf("%q is read as %d, %+v", text, one.Monthly, wrong)
		}
	}
	for _, text := range []string{"5000", "+", "--5", "+-5", "+1,20", "5-"} {
		one, wrong := input(scenario.OnceField, text).Read(today, "USD")
		if one.Once != 0 || !strings.Contains(wrong.Fields[scenario.OnceField], "must be an amount") {
			t.Errorf("%q is read as %d, %+v", text, one.Once, wrong)
		}
	}
}

func TestPercentsAreWholeAndBounded(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "+10": 10, "10 %": 10, "-25%": -25, "-100": -100, "1000": 1000} {
		one, wrong := input(scenario.BurnField, text).Read(today, "USD")
		if one.BurnPercent != want || wrong.Fields[scenario.BurnField] != "" {
			t.Errorf("%q is read as %d, %+v", text, one.BurnPercent, wrong)
		}
	}
	for _, text := range []string{"-101", "1001", "1.5", "ten", "99999999999999999999"} {
		one, wrong := input(scenario.BurnField, text).Read(today, "USD")
		if !strings.Contains(wrong.Fields[scenario.BurnField], "whole percentage") {
			t.Errorf("%q is read as %d, %+v", text, one.BurnPercent, wrong)
		}
	}
}

func TestNothingSupposedIsNoScenario(t *testing.T) {
	in := input(scenario.NameField, "Later")
	in.Texts[scenario.OnceInField] = "2027-01"
	if _, wrong := in.Read(today, "USD"); !strings.Contains(wrong.Whole, "at least one field") {
		t.Errorf("it is taken: %+v", wrong)
	}
}

func TestAScenarioWithoutANameIsNamedByItsChanges(t *testing.T) {
	one, wrong := input(scenario.BurnField, "+10").Read(today, "USD")
	if one.Name != "net burn +10%" || wrong.Any() {
		t.Errorf("it is called %q, %+v", one.Name, wrong)
	}
}

// A scenario can be typed again, as the file stores scenarios as typed.
func FuzzInput(f *testing.F) {
	for _, text := range []string{"", "+5,000", "-1,200.50", "5", "+$5", "-92233720368547758.07"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, at := range []scenario.Field{scenario.BurnField, scenario.MonthlyField, scenario.OnceField,
			scenario.CustomerField} {
			one, wrong := input(at, text).Read(today, "USD")
			if wrong.Any() {
				continue
			}
			if again, wrong := scenario.InputOf(one, "USD").Read(today, "USD"); again != one || wrong.Any() {
				t.Errorf("%q is %+v, which is read as %+v, %+v", text, one, again, wrong)
			}
		}
	})
}
