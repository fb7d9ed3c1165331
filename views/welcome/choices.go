package welcome

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
)

// Organization is an organization whose figures the user may open.
type Organization struct{ Name, Hint string }

// ChooseOrganization is sent when the user chooses one of Options.Organizations, by its index.
type ChooseOrganization struct {
	Index   int
	Attempt Attempt
}

// organizationLines draws the organizations, as many as fit around the selected one.
func (s *Screen) organizationLines() []string {
	const others = 9 // lines of the page that are not organizations
	all := len(s.organizations)
	room := max(1, min(all, s.height-others))
	first := max(0, min(int(s.choice)-room/2, all-room))
	title := "Choose an organization:"
	if room < all {
		title = fmt.Sprintf("Choose an organization (%d of %d):", int(s.choice)+1, all)
	}
	widest := 0
	for _, o := range s.organizations {
		widest = max(widest, ansi.StringWidth(termtext.Line(o.Name)))
	}
	out := []string{s.theme.Text.Render(title), ""}
	for i, o := range s.organizations[first : first+room] {
		name := termtext.Line(o.Name)
		label := "  " + name + " "
		if first+i == int(s.choice) {
			label = s.theme.Selected.Render("> " + name + " ")
		}
		gap := strings.Repeat(" ", 1+min(widest, s.width/2)-min(ansi.StringWidth(name), s.width/2))
		out = append(out, label+gap+s.theme.Faint.Render(termtext.Line(o.Hint)))
	}
	return append(out, "", s.hints())
}

func (s *Screen) choiceLines() []string {
	if len(s.organizations) > 0 {
		return s.organizationLines()
	}
	books := "from the files of your bank; they stay on this computer"
	if s.books {
		books = "from imported bank files, on this computer"
	}
	options := [choices][2]string{
		Demo:     {"Look around", "a sample company on this computer; nothing is saved"},
		OwnBooks: {"My own books", books},
		Bank:     {"Connect a bank", "it fills your own books by itself"},
		Server:   {"Connect a server", "with its base URL and a token"},
	}
	var out []string
	for i, o := range options {
		label := "  " + o[0] + " "
		if Choice(i) == s.choice {
			label = s.theme.Selected.Render("> " + o[0] + " ")
		}
		out = append(out, label+strings.Repeat(" ", 18-len(o[0]))+s.theme.Faint.Render(o[1]))
	}
	return append(out, "",
		s.theme.Faint.Render("To save a connection, run `tarmac login` in a shell."),
		"", s.hints())
}
