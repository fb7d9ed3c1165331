package transactions

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/position"
	"tarmac/internal/civil"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
)

// input is the open prompt above the list, or the list of what can be copied. It is a views.Layer.
type input struct {
	listdetail.Prompt
	screen  *Screen
	kind    kind                   // what the prompt asks for
	copying *apiclient.Transaction // transaction to copy from while the user chooses what to copy; otherwise nil
	problem string                 // message about the typed text or a failed jump
	keys    views.Actions
	copies  views.Actions // the parts of a transaction that can be copied, then the key that cancels
}

func newInput(s *Screen) *input {
	in := &input{screen: s, copies: s.copyActions()}
	in.keys = views.PromptActions("apply", func() tea.Cmd { return in.apply(in.Text()) }, in.leave)
	in.keys[0].When = func() bool { return s.exports.preparing == nil }
	in.keys[0].Says = func() string {
		switch in.kind {
		case toPosition, toPercent:
			return "go"
		case toFile:
			return "export; .csv or .json in the name sets the format"
		}
		return "apply"
	}
	return in
}

func (in *input) ask(k kind, hint string, limit int, value string) {
	in.kind = k
	label := "Filter   "
	switch k {
	case byPeriod:
		label = "Dates    "
	case toPosition:
		label = "Go to    "
	case toPercent:
		label = "Go to %  "
	case toFile:
		label = export.PromptLabel
	}
	in.Prompt.Open(label, hint, limit, value)
}

// apply uses the text typed in the prompt: it sets a filter, jumps to a row or begins an export. An
// empty text removes the filter. If the text is invalid, the prompt stays open and a message says
// why.
func (in *input) apply(text string) (cmd tea.Cmd) {
	var err error
	s := in.screen
	switch in.kind {
	case byKeyword:
		var f filter
		if f, err = s.filter.withTyped(text, s.currency()); err == nil {
			in.leave()
			s.setFilter(f)
		}
	case byPeriod:
		var p civil.Period
		if text != "" {
			p, err = civil.ParsePeriod(text, civil.Of(s.Now()))
		}
		if err == nil {
			in.leave()
			s.setFilter(s.filter.with(byPeriod, func(f *filter) { f.period = p }))
		}
	case toPercent, toPosition:
		if in.kind == toPercent && !strings.HasSuffix(text, "%") {
			text += "%"
		}
		var to position.Position
		if to, err = position.Parse(text, civil.Of(s.Now())); err == nil {
			in.leave()
			s.seekTo(target{Position: to})
		}
	case toFile:
		cmd, err = s.beginExport(text)
	}
	if err != nil {
		in.problem = err.Error()
	}
	return cmd
}

// leave closes the prompt.
func (in *input) leave() {
	in.problem = ""
	in.Close()
	if preparing := &in.screen.exports.preparing; *preparing != nil {
		(*preparing).cancel()
		*preparing = nil
	}
}

func (in *input) Open() bool { return in.Typing() || in.copying != nil }

func (in *input) Cancel() {
	if in.copying != nil {
		in.copying = nil
		return
	}
	in.leave()
}

func (in *input) Press(press tea.KeyPressMsg) tea.Cmd {
	if in.copying != nil {
		cmd, _ := in.copies.Press(press)
		in.copying = nil
		return cmd
	}
	cmd, taken := in.keys.Press(press)
	if !taken && in.screen.exports.preparing == nil {
		in.problem = ""
		in.Prompt.Press(press)
	}
	return cmd
}

func (in *input) Paste(paste tea.PasteMsg) {
	if in.Typing() && in.screen.exports.preparing == nil {
		in.Prompt.Paste(paste)
	}
}

func (in *input) Help() []views.HelpGroup {
	title := "Filter"
	switch {
	case in.copying != nil:
		return []views.HelpGroup{in.copies.Help("Copy")}
	case in.kind == toPosition, in.kind == toPercent:
		title = "Go to"
	case in.kind == toFile:
		title = "Export"
	}
	return []views.HelpGroup{in.keys.Help(title)}
}

func (in *input) Draw() string {
	if in.copying != nil {
		return in.screen.copyLine()
	}
	return in.Line()
}
