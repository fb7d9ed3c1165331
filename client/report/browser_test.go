package report_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/testsupport/browser"
)

// widths are those of a phone, a narrow window and a laptop, in CSS pixels.
var widths = []int{390, 900, 1280}

// a4Width is the width of A4 paper without the margins of the style sheet, in CSS pixels.
const a4Width = 703

// overflowing lists the elements that reach beyond the right edge of the page, or whose content is
// cut although the style sheet does not shorten it.
const overflowing = `[...document.querySelectorAll("body *")].filter(e => !e.closest("svg") &&
	getComputedStyle(e).display !== "none" && (
	e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5 ||
	e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).textOverflow !== "ellipsis" &&
		getComputedStyle(e).display !== "inline" && e.tagName !== "TR")
).map(e => e.tagName + " " + e.className + " " + e.textContent.slice(0, 40))`

// broken lists the figures of cards that take more than one line.
const broken = `[...document.querySelectorAll(".cards strong")].filter(e =>
	e.offsetHeight > 2 * parseFloat(getComputedStyle(e).fontSize)).map(e => e.textContent)`

// pale lists the texts whose contrast against their background is below 4.5, as the Web Content
// Accessibility Guidelines define contrast.
const pale = `(() => {
	const channels = text => text.match(/[\d.]+/g).map(Number);
	const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c =>
		c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const background = e => {
		for (; e; e = e.parentElement) {
			const c = channels(getComputedStyle(e).backgroundColor);
			if (c.length < 4 || c[3] === 1) return c;
		}
		return [255, 255, 255];
	};
	return [...document.querySelectorAll("body *")].filter(e =>
		[...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())).filter(e => {
		const style = getComputedStyle(e);
		const one = luminance(channels(e.closest("svg") ? style.fill : style.color)), other = luminance(background(e));
		return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < 4.5;
	}).map(e => e.tagName + " " + e.textContent.slice(0, 40));
})()`

// Every report is quiet, fits on a phone and a laptop, and is readable in both colour schemes.
func TestThePageInABrowser(t *testing.T) {
	b := browser.Start(t)
	dir := t.TempDir()
	pages := map[string]string{
		"hostile names": pageOf(t, renamed(hostileNames), false), "masked": pageOf(t, company().input(), true),
	}
	for name, in := range cases() {
		pages[name] = pageOf(t, in, false)
	}
	for name, page := range pages {
		path := filepath.Join(dir, "page.html")
		if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		p, problems := b.Open("file://" + path)
		if len(problems) > 0 {
			t.Errorf("%s: %q", name, problems)
		}
		for _, width := range widths {
			p.Resize(width)
			var wide []string
			if p.Evaluate(overflowing, &wide); len(wide) > 0 {
				t.Errorf("%s: at %d pixels these are too wide: %q", name, width, wide)
			}
			var cut []string
			if p.Evaluate(broken, &cut); len(cut) > 0 && width > widths[0] {
				t.Errorf("%s: at %d pixels these figures break: %q", name, width, cut)
			}
		}
		p.Resize(a4Width)
		p.Emulate("print", "light")
		var cut []string
		if p.Evaluate(overflowing, &cut); len(cut) > 0 {
			t.Errorf("%s: on paper these are too wide: %q", name, cut)
		}
		backgrounds := map[string]bool{}
		for _, scheme := range []string{"light", "dark"} {
			p.Emulate("screen", scheme)
			var unreadable []string
			if p.Evaluate(pale, &unreadable); len(unreadable) > 0 {
				t.Errorf("%s: in the %s scheme these are hard to read: %q", name, scheme, unreadable)
			}
			var colour string
			p.Evaluate("getComputedStyle(document.body).backgroundColor", &colour)
			backgrounds[colour] = true
		}
		if len(backgrounds) != 2 {
			t.Errorf("%s: both schemes have the background %v", name, backgrounds)
		}
		most := 2
		if strings.Contains(page, "Bills to pay") || strings.Contains(page, "The plan today") {
			most = 3
		}
		if n := printed(t, p.PDF()); n > most {
			t.Errorf("%s prints on %d pages of A4", name, n)
		}
		p.Close()
	}
}

// printed returns the number of pages of a PDF, all of which must be A4.
func printed(t *testing.T, document []byte) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.pdf")
	if err := os.WriteFile(path, document, 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("pdfinfo")
	if err != nil {
		if os.Getenv("TARMAC_REQUIRE_PDF_TOOLS") != "" {
			t.Fatal("pdfinfo is not installed: apt-get install poppler-utils")
		}
		t.Log("SKIPPED: pdfinfo is not installed; the printed pages are not counted")
		return 2
	}
	info, err := exec.CommandContext(t.Context(), program, path).Output()
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for line := range bytes.Lines(info) {
		if key, value, _ := bytes.Cut(line, []byte(":")); string(key) == "Pages" {
			for _, digit := range bytes.TrimSpace(value) {
				pages = 10*pages + int(digit-'0')
			}
		}
	}
	if !bytes.Contains(info, []byte("(A4)")) {
		t.Errorf("the paper is not A4:\n%s", info)
	}
	return pages
}
