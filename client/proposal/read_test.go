package proposal_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tarmac/client/draft"
	"tarmac/client/proposal"
	"tarmac/internal/civil"
)

var sound = draft.Draft{
	RecipientName: " Acme ", RecipientEmail: "pay@acme.example", Description: "Consulting", DueDate: "net 30",
	Lines: []draft.Line{{Description: "Hours", Quantity: "12.5 hours", UnitPrice: "1.5k"}},
}

func TestADraftIsReadAsItWasMeant(t *testing.T) {
	p, wrong := proposal.Read(sound, civil.New(2026, 11, 20))

	if len(wrong) > 0 || p.RecipientName != "Acme" || p.DueDate != civil.New(2026, 12, 20) {
		t.Fatalf("%+v, %v", p, wrong)
	}
	if total, err := p.Total(); total != 18_750_00 || err != nil {
		t.Errorf("it comes to %d, %v", total, err)
	}
}

func TestWhatIsWrongWithADraftIsSaidByField(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(d *draft.Draft)
		want  map[string]string
	}{
		"a name is missing": {
			func(d *draft.Draft) { d.RecipientName = " " },
			map[string]string{"recipient_name": "must "},
		},
		"a date cannot be read": {
			func(d *draft.Draft) { d.DueDate = "soon" },
			map[string]string{"due_date": "must be a date such as"},
		},
		"a quantity cannot be read": {
			func(d *draft.Draft) { d.Lines[0].Quantity = "many" },
			map[string]string{"line_items[0].quantity": "must be a number such as"},
		},
		"a quantity is missing": {
			func(d *draft.Draft) { d.Lines[0].Quantity = "" },
			map[string]string{"line_items[0].quantity": "must "},
		},
		"a price cannot be read": {
			func(d *draft.Draft) { d.Lines[0].UnitPrice = "1,2" },
			map[string]string{"line_items[0].unit_price_cents": "must be an amount such as"},
		},
		"a line comes to too much": {
			func(d *draft.Draft) {
				d.Lines[0].Quantity, d.Lines[0].UnitPrice = "999999999", "90,000,000,000,000.00"
			},
			map[string]string{"line_items[0].unit_price_cents": ""},
		},
		"there are no lines": {
			func(d *draft.Draft) { d.Lines = nil },
			map[string]string{"line_items": "must "},
		},
	} {
		d := sound
		d.Lines = slices.Clone(sound.Lines)
		c.spoil(&d)

		_, wrong := proposal.Read(d, civil.New(2026, 11, 20))

		if !slices.Equal(slices.Sorted(maps.Keys(wrong)), slices.Sorted(maps.Keys(c.want))) {
			t.Errorf("%s: %v", name, wrong)
		}
		for field, want := range c.want {
			if !strings.HasPrefix(wrong[field], want) {
				t.Errorf("%s: %s %s", name, field, wrong[field])
			}
		}
	}
}

func TestBlankLinesAreLeftOut(t *testing.T) {
	blank, hours := draft.Line{Quantity: " "}, draft.Line{Description: "Hours"}
	for name, c := range map[string]struct {
		all  []draft.Line
		want []int
	}{
		"between":   {[]draft.Line{hours, blank, hours}, []int{0, 2}},
		"all blank": {[]draft.Line{blank, blank}, []int{1}},
		"no lines":  {nil, nil},
	} {
		if rest, at := proposal.WithoutBlank(c.all); !slices.Equal(at, c.want) || len(rest) != len(at) {
			t.Errorf("%s: %v, %v", name, rest, at)
		}
	}
}
