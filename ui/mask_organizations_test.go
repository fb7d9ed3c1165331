package ui

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// richer returns the API of an organization like that of linked, with every amount, percentage and
// number of months changed, and with the same names, dates and counts.
func richer(change func(cents string) string) *api {
	a := linked()
	amount := regexp.MustCompile(`_cents":(-?)(\d+)`)
	for path, body := range a.bodies {
		body = amount.ReplaceAllStringFunc(body, func(field string) string {
			part := amount.FindStringSubmatch(field)
			return `_cents":` + part[1] + change(part[2])
		})
		a.bodies[path] = strings.NewReplacer(`"runway_months":14.1`, `"runway_months":2.6`, "About 14.1", "About 2.6").
			Replace(body)
	}
	return a
}

// otherDigits changes each digit of a number. The number of digits stays.
func otherDigits(number string) string {
	digits := []byte(number)
	for i, d := range digits {
		digits[i] = '0' + (d-'0')*7%10
	}
	return string(digits)
}

// Two organizations that differ only in their amounts look the same while amounts are hidden. Runs
// of spaces are compared as one, because columns are as wide as their amounts.
func TestMaskedOrganizationsLookAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	spaces := regexp.MustCompile(` {2,}`)
	shape := regexp.MustCompile(`[▀-▟⠀-⣿]`)
	one, other := open(t, linked()), open(t, richer(otherDigits))
	for _, d := range []*dashboard{one, other} {
		d.press("2", "n", "o", "v", "e", "r", "d", "u", "e", "enter") // a line of a plan
	}
	walks := [][]string{{"1"}, {"2"}, {"3"}, {"4"}, {"enter"}, {"5"}, {"enter"}, {"6"}, {"enter"}, {"7"}, {"8"}}
	seen := func(d *dashboard, width, height int) string {
		d.Update(tea.WindowSizeMsg{Width: width, Height: height})
		return spaces.ReplaceAllString(d.text(), " ")
	}
	for _, keys := range walks {
		one.press(keys...)
		other.press(keys...)
		for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			if a := seen(one, size[0], size[1]); keys[0] < "5" && a == seen(other, size[0], size[1]) {
				t.Errorf("after %v at %v the organizations do not differ:\n%s", keys, size, a)
			}
			one.mask()
			other.mask()
			a, b := seen(one, size[0], size[1]), seen(other, size[0], size[1])
			one.mask()
			other.mask()
			if a != b {
				t.Errorf("after %v at %v the masked organizations differ:\n%s\n%s", keys, size, a, b)
			}
			if found := shape.FindString(a); found != "" {
				t.Errorf("after %v at %v it shows %s:\n%s", keys, size, found, a)
			}
		}
	}
}

// On Overview, also the places of the figures are independent of the amounts.
func TestTheMaskedOverviewDoesNotShowHowLargeAmountsAre(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	one := open(t, linked())
	for name, change := range map[string]func(string) string{
		"small": func(string) string { return "7" },
		"large": func(cents string) string { return strings.TrimLeft(cents+"377", "0") },
	} {
		other := open(t, richer(change))
		for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			var seen []string
			for _, d := range []*dashboard{one, other} {
				d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				d.mask()
				seen = append(seen, d.text())
				d.mask()
			}
			if seen[0] != seen[1] {
				t.Errorf("%s amounts at %v:\n%s\n%s", name, size, seen[0], seen[1])
			}
		}
	}
}
