package browser

import (
	"encoding/json"
	"strings"
)

// Page is a page that the browser shows.
type Page struct {
	b       *Browser
	session string
}

// Open shows the page at an address, such as file:///tmp/page.html. It returns the page when it has
// loaded, and everything that a quiet page does not cause: messages of the console, errors, refused
// styles, and requests beside the one for the page.
func (b *Browser) Open(url string) (p *Page, problems []string) {
	b.tb.Helper()
	var target struct{ TargetID, SessionID string }
	b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	p = &Page{b, target.SessionID}
	for _, domain := range [...]string{"Page", "Log", "Runtime", "Network", "Audits"} {
		p.call(domain+".enable", nil, nil)
	}
	p.call("Page.navigate", map[string]any{"url": url}, nil)
	for _, m := range b.await(p.session, "Page.loadEventFired") {
		if text := m.describe(); text != "" && !(m.Method == "Network.requestWillBeSent" && strings.Contains(text, url)) {
			problems = append(problems, text)
		}
	}
	return p, problems
}

// Close closes the page.
func (p *Page) Close() { p.call("Page.close", nil, nil) }

func (p *Page) call(method string, params, result any) {
	p.b.tb.Helper()
	p.b.call(p.session, method, params, result)
}

// Resize sets the width of the page in CSS pixels.
func (p *Page) Resize(width int) {
	p.b.tb.Helper()
	p.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
}

// Emulate sets the medium, "screen" or "print", and the colour scheme that the person prefers,
// "dark" or "light".
func (p *Page) Emulate(medium, scheme string) {
	p.b.tb.Helper()
	p.call("Emulation.setEmulatedMedia", map[string]any{"media": medium, "features": []map[string]string{
		{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Evaluate evaluates an expression of JavaScript in the page and decodes its value into result. The
// policy of the page does not concern it.
func (p *Page) Evaluate(expression string, result any) {
	p.b.tb.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	p.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		p.b.tb.Fatalf("%s", answer.ExceptionDetails.Exception.Description)
	}
	if err := json.Unmarshal(answer.Result.Value, result); err != nil {
		p.b.tb.Fatalf("%s: %v", answer.Result.Value, err)
	}
}

// PDF prints the page on A4 paper.
func (p *Page) PDF() []byte {
	p.b.tb.Helper()
	p.Emulate("", "light") // an emulated medium would be printed as it is
	var answer struct{ Data []byte }
	p.call("Page.printToPDF", map[string]any{"preferCSSPageSize": true, "printBackground": true}, &answer)
	return answer.Data
}

// Screenshot returns a PNG of the whole page.
func (p *Page) Screenshot() []byte {
	p.b.tb.Helper()
	var answer struct{ Data []byte }
	p.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &answer)
	return answer.Data
}
