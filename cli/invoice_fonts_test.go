//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oneLetter is a font with only the letter Ꭰ, which the embedded fonts lack.
var oneLetter = filepath.Join("..", "service", "invoicepdf", "testdata", "cherokee.ttf")

func TestAFontForInvoicesIsUsed(t *testing.T) {
	database, org, tokenFile := organization(t, "", "invoices:read,invoices:propose")
	must(t, "admin", "--db", database, "owner", "set", "--org", org, "--name", "Ada", "--email", "ada@example.com")
	font, err := filepath.Abs(oneLetter)
	if err != nil {
		t.Fatal(err)
	}
	for _, with := range []bool{false, true} {
		flags := []string{}
		if with {
			flags = []string{"--invoice-font", font}
		}
		server := serve(t, database, "127.0.0.1:0", flags...)
		env := map[string]string{"TARMAC_BASE_URL": "http://" + server.addr, "TARMAC_TOKEN_FILE": tokenFile}
		made := tarmac(t, env, "invoices", "propose", "--recipient-name", "Ꭰ and 株式会社", "--recipient-email",
			"ap@acme.example",
			"--description", "Work", "--line", "1 x 10.00 Work", "--json")
		if made.code != 0 {
			t.Fatalf("exit %d: %s%s", made.code, made.stdout, made.stderr)
		}
		id := decoded(t, made.stdout).(map[string]any)["id"].(string)

		page := tarmac(t, env, "invoices", "pdf", id, "--output", "-")

		if with && (page.code != 0 || !strings.HasPrefix(page.stdout, "%PDF-")) {
			t.Errorf("with the font: exit %d, %s", page.code, page.stderr)
		}
		want := `this invoice cannot be rendered as a PDF: no font has "Ꭰ" (U+13A0)`
		if !with && (page.code != 1 || !strings.Contains(page.stderr, want)) {
			t.Errorf("without it: exit %d, %s", page.code, page.stderr)
		}
		server.kill()
	}
}

func TestWhatIsNoFontForInvoicesIsRefusedAtStart(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.ttf")
	if err := os.WriteFile(text, []byte("not a font"), 0o600); err != nil {
		t.Fatal(err)
	}
	nine := []string{}
	for range 9 {
		nine = append(nine, "--invoice-font", text)
	}
	for _, command := range []string{"serve", "demo"} {
		for _, c := range []struct {
			args []string
			code int
			want string
		}{
			{[]string{"--invoice-font", text}, 1, "--invoice-font " + text +
				" cannot be used: it is not a TrueType font (.ttf)"},
			{[]string{"--invoice-font", filepath.Join(dir, "none.ttf")}, 1, "cannot read --invoice-font: open "},
			{[]string{"--invoice-font", dir}, 1, "cannot read --invoice-font: "},
			{nine, 2, "--invoice-font can be given 8 times at most"},
		} {
			r := tarmac(t, nil, append([]string{command}, c.args...)...)
			if r.code != c.code || !strings.Contains(r.stderr, c.want) {
				t.Errorf("%s %v: exit %d, %s; want %d, %s", command, c.args, r.code, r.stderr, c.code, c.want)
			}
		}
	}
}
