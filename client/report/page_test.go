package report_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/report"
)

// elements parses a page, which is well-formed XML too, and returns its elements with the names of
// their attributes, and its text.
func elements(t rapid.TB, page string) (all []string, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	for {
		token, err := d.Token()
		switch token := token.(type) {
		case xml.StartElement:
			element := token.Name.Local
			for _, a := range token.Attr {
				element += " " + a.Name.Local
			}
			all = append(all, element)
		case xml.CharData:
			text += string(token)
		case xml.Comment, xml.ProcInst:
			t.Fatalf("the page has a %T: %s", token, token)
		}
		if errors.Is(err, io.EOF) {
			return all, text
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, page)
		}
	}
}

// renamed returns the company's books with the given names instead of its own.
func renamed(names []string) report.Input {
	b := company()
	known := map[string]string{}
	for i := range b.rows {
		name := b.rows[i].CounterpartyName
		if known[name] == "" {
			known[name] = names[len(known)%len(names)]
		}
		b.rows[i].CounterpartyName = known[name]
	}
	in := b.input()
	in.Company = names[0]
	aging := *in.Aging.Value
	aging.TopOverdue = append([]apiclient.OverdueCustomer{}, aging.TopOverdue...)
	for i := range aging.TopOverdue {
		aging.TopOverdue[i].Name = names[i%len(names)]
	}
	in.Aging.Value = &aging
	return in
}

// Names become text, whatever they contain: the page has no element or attribute that its template
// does not have.
func TestNamesAddNothingToThePage(t *testing.T) {
	template := map[string]bool{}
	plain, _ := elements(t, pageOf(t, company().input(), false))
	for _, e := range plain {
		template[e] = true
	}
	rapid.Check(t, func(rt *rapid.T) {
		hostile := rapid.OneOf(rapid.SampledFrom(hostileNames), rapid.String(),
			rapid.StringMatching(`[<>&"'/=!a-z \-]{1,20}`))
		in := renamed(rapid.SliceOfN(hostile, 1, 12).Draw(rt, "names"))
		var page, text, object strings.Builder
		r := report.New(in)
		for _, err := range []error{r.WriteHTML(&page, false), r.WriteText(&text, false), r.WriteJSON(&object)} {
			if err != nil {
				rt.Fatal(err)
			}
		}
		found, _ := elements(rt, page.String())
		for _, e := range found {
			if !template[e] {
				rt.Fatalf("the page has an element %q", e)
			}
		}
		if !json.Valid([]byte(object.String())) {
			rt.Fatalf("not JSON: %s", object.String())
		}
	})
}

// The report of ten thousand counterparties is as long as that of twenty.
func TestAReportIsBounded(t *testing.T) {
	page := pageOf(t, hostileBooks().input(), false)
	if len(page) > 64<<10 {
		t.Errorf("the page has %d bytes", len(page))
	}
	_, text := elements(t, page)
	if !strings.Contains(text, "others") || strings.Contains(text, "\u202e") {
		t.Errorf("%s", text)
	}
}

// A page loads nothing and runs nothing: no address, no script, no style except the permitted one.
func TestThePageIsSelfContained(t *testing.T) {
	for name, in := range cases() {
		page := pageOf(t, in, false)
		found, _ := elements(t, page)
		for _, e := range found {
			tag, attributes, _ := strings.Cut(e, " ")
			if tag == "script" || tag == "link" || tag == "img" || tag == "iframe" || strings.Contains(attributes, "href") ||
				strings.Contains(attributes, "src") || strings.Contains(attributes, "style") ||
				strings.Contains(attributes, " on") {
				t.Errorf("%s: the page has an element %q", name, e)
			}
		}
		if !strings.Contains(page, `content="default-src 'none'; style-src 'sha256-`) {
			t.Errorf("%s: the page has no policy", name)
		}
	}
}
