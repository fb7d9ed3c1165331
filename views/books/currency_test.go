package books

import (
	"errors"
	"testing"
)

func TestTheCurrencyIsChangedAfterItSaysWhichRatesThereAre(t *testing.T) {
	for name, test := range map[string]struct {
		keys, says []string
		calls      string
		changes    int
	}{
		"yes": {[]string{"m", "E", "U", "R", "enter", "y"},
			[]string{"✓ The figures are in EUR now; m and auto takes it back."},
			"preview currency EUR, set currency EUR, list", 1},
		"asked": {[]string{"m", "E", "U", "R", "enter"},
			[]string{"Figures in EUR instead of USD", "37 in USD have one, 2 have none.", "Change it?"},
			"preview currency EUR", 0},
		"no": {[]string{"m", "E", "U", "R", "enter", "n"}, nil, "preview currency EUR", 0},
		"the same": {[]string{"m", "U", "S", "D", "enter"}, []string{"The figures are in USD already."},
			"preview currency USD", 0},
		"nothing": {[]string{"m", "enter"}, []string{"! Type a currency such as EUR, or auto"}, "", 0},
		"back":    {[]string{"m", "E", "esc"}, nil, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, questioning)
			d.current()

			d.press(test.keys...)

			if calls := d.current(); calls != test.calls || d.changes != test.changes {
				t.Errorf("%d changes; the books were asked for %q", d.changes, calls)
			}
			d.shows(test.says...)
		})
	}
}

func TestARefusedCurrencyCanBeCorrected(t *testing.T) {
	d := open(t, questioning)
	d.bank.fail = errors.New("not a currency of ISO 4217, such as EUR")

	d.press("m", "E", "U", "enter")

	d.shows("! not a currency of ISO 4217, such as EUR", "Currency EU")
	d.bank.fail = nil
	d.press("R", "enter")
	d.shows("Figures in EUR instead of USD")
}
