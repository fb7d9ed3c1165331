package propose

import (
	"errors"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestWhatIsNotKnownIsNeverSentAgainByItself(t *testing.T) {
	other := typedProposal()
	other.RecipientName = "Contoso"
	d := openUncertain(
		t,
		created("INV-000140", other, sample.Now),
		created("INV-000139", typedProposal(), sample.Now.Add(30*time.Second)),
	)
	for range 40 {
		d.at = d.at.Add(time.Hour)
		d.run(d.tick())
		d.run(d.Update(views.Refresh{}))
	}
	if len(d.server.proposed) != 1 {
		t.Fatalf("sent %d times", len(d.server.proposed))
	}
	d.says(
		"Unknown whether the draft was created: no answer in time.",
		"One of the newest drafts has the same recipient and total",
		"likely INV-000139",
		"INV-000140",
		"more than a day ago",
	)
}

func TestThePersonSaysThatItIsThere(t *testing.T) {
	d := openUncertain(t, created("INV-000139", typedProposal(), sample.Now))
	d.press("enter")
	d.says("Press enter again to take INV-000139")
	d.press("enter")
	if d.step != finished || len(d.server.proposed) != 1 {
		t.Errorf("step %d, sent %d times", d.step, len(d.server.proposed))
	}
	d.says("INV-000139", "Nothing was sent")
	if kept, err := d.saved(); err == nil {
		t.Errorf("the draft is still kept: %+v", kept)
	}
}

func TestThePersonSendsItAgainUnderTheSameKey(t *testing.T) {
	d := openUncertain(t)
	before := d.saving.Draft.Key
	d.says("The organization has no drafts")
	d.server.answer = nil
	d.hold = true
	d.press("s")
	d.says("Press s again")
	d.press("s", "s", "s")
	if len(d.pending) != 1 || d.saving.Draft.Key != before || before == "" {
		t.Fatalf("%d requests, key %q after %q", len(d.pending), d.saving.Draft.Key, before)
	}
	d.respond()
	if d.step != finished || len(d.server.proposed) != 2 {
		t.Errorf("step %d, sent %d times", d.step, len(d.server.proposed))
	}
}

func TestARefusalOfTheSecondSaysNothingAboutTheFirst(t *testing.T) {
	for name, err := range map[string]error{
		"running":    &apiclient.Error{Status: 409, Message: "a request with this key is still running"},
		"token":      &apiclient.Error{Status: 401, Message: "invalid API token"},
		"nobody":     &apiclient.NetworkError{Method: "POST", Err: errors.New("connection refused")},
		"unknown":    unknown,
		"other text": &apiclient.Error{Status: 422, Message: "the key was used with another body"},
	} {
		d := openUncertain(t)
		d.server.answer = err
		d.press("s", "s")
		if kept, failed := d.saved(); d.step != uncertain || failed != nil || kept.SentAt.IsZero() {
			t.Errorf("%s: step %d, draft %+v, %v", name, d.step, kept, failed)
		}
	}
}

func TestALookThatFailsIsTriedAgain(t *testing.T) {
	d := openReview(t)
	d.server.answer, d.server.searchErr = unknown, errors.New("broken pipe")
	d.press("enter", "enter")
	d.says("Could not load: broken pipe")
	d.press("enter", "enter")
	if d.step != uncertain {
		t.Error("an invoice that nobody has seen was chosen")
	}
	d.server.searchErr, d.server.drafts = nil, []apiclient.Invoice{created("INV-000139", typedProposal(), sample.Now)}
	looks := d.server.searches
	d.at = d.at.Add(time.Minute)
	d.run(d.Update(viewsTick(d.at)))
	if d.server.searches != looks+1 {
		t.Errorf("looked %d times more", d.server.searches-looks)
	}
	d.says("INV-000139")
}

func TestAListThatChangesTakesTheFingerOffTheTrigger(t *testing.T) {
	d := openUncertain(t, created("INV-000139", typedProposal(), sample.Now))
	d.press("enter")
	d.server.drafts = append([]apiclient.Invoice{created("INV-000141", typedProposal(), sample.Now)}, d.server.drafts...)
	d.run(d.Update(views.Refresh{}))
	d.press("enter")
	if d.step != uncertain {
		t.Error("one enter chose an invoice of another list")
	}
}
