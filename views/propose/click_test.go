package propose

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestAClickOnADraftGoesThereAndForgetsAFirstPress(t *testing.T) {
	other := typedProposal()
	other.RecipientName = "Contoso"
	d := openUncertain(t, created("INV-000140", other, sample.Now), created("INV-000139", typedProposal(), sample.Now))
	click := func(text string) {
		for y, line := range strings.Split(ansi.Strip(d.View()), "\n") {
			if before, _, found := strings.Cut(line, text); found {
				d.run(d.Update(views.Click{X: ansi.StringWidth(before), Y: y}))
			}
		}
	}
	d.press("enter")
	d.says("Press enter again to take INV-000139")
	click("INV-000140")
	if got, _ := d.search.chosen(); got.Number != "INV-000140" {
		t.Fatalf("the cursor is on %+v", got)
	}
	d.press("enter")
	d.says("Press enter again to take INV-000140")
	if d.step != uncertain {
		t.Errorf("two presses about two drafts concluded: step %d", d.step)
	}
	for y := range d.height {
		for x := range d.width {
			d.Update(views.Click{X: x, Y: y})
		}
	}
}
