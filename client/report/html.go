package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
)

var (
	//go:embed page.tmpl
	pageTemplate string
	//go:embed page.css
	pageStyle string
)

// page is the document with its style sheet.
type page struct {
	document
	Style template.CSS
}

// StyleHash returns the hash by which the page's policy permits its style sheet, and nothing else.
func (p page) StyleHash() string {
	sum := sha256.Sum256([]byte(p.Style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Class returns the classes of a column in the style sheet.
func (c column) Class() string {
	class := ""
	if c.Number {
		class = "number"
	}
	if c.Wide {
		class += " wide"
	}
	return class
}

// WriteHTML writes the report as a page of HTML that has no script and loads nothing. If masked is
// set, it hides amounts, percentages, numbers of months and charts.
func (r *Report) WriteHTML(w io.Writer, masked bool) error { return r.document(masked).writeHTML(w) }

func (d document) writeHTML(w io.Writer) error {
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, page{document: d, Style: template.CSS(pageStyle)})
}
