package books

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// mode says what the page shows and which keys work.
type mode int

const (
	browsing        mode = iota
	naming               // the user types the files to import
	previewing           // the files are being read
	answeringFile        // the user answers the question of a file
	confirming           // the preview is shown; the user confirms the import
	checkingAccount      // the files of an account of the preview are shown
	checkingLines        // the lines of one of these files are shown
	importRunning        // the import is running
	finished             // the summary of the first import is shown
	checking             // the effect of undoing an import is computed
	confirmingUndo       // the user confirms that an import is undone
	undoing              // an import is being undone

	typingCurrency     // the user types the currency of the figures
	checkingCurrency   // the effect of the change is computed
	confirmingCurrency // the user confirms the change
	changingCurrency   // the change is running

	readingQuestions // the open questions are being read
	choosingAnswer   // the user is asked a question about the lines
	storingAnswer    // the answer is being stored

	choosingKind         // the user chooses a provider
	typingToken          // the user types the provider's token
	connecting           // the token is being checked, and the accounts are listed
	choosingAccounts     // the user chooses the accounts
	reading              // providers are being read
	confirmingRemoved    // the user is asked whether missing lines may be removed
	confirmingDisconnect // the user is asked whether a provider is disconnected
	disconnecting        // the provider is being disconnected
	modes                // number of modes
)

// dialog is what the page shows instead of the lists in a mode other than browsing.
type dialog struct {
	help    string // title of the keys in the help
	keys    views.Actions
	edit    func(msg tea.Msg)           // handles a typed key or a paste; nil without a text field
	typing  bool                        // digits and letters are keys of the dialog only
	move    func(press tea.KeyPressMsg) // handles a key that moves the cursor; nil without a list
	back    func()                      // closes the dialog or cancels the running command
	draw    func() string
	leaving string // what quitting would cancel, or ""
}

// newDialogs returns the dialog of each mode. Browsing has none.
func (s *Screen) newDialogs() [modes]*dialog {
	return [modes]*dialog{
		naming: s.namesDialog(), answeringFile: s.questionDialog(), confirming: s.previewDialog(),
		checkingAccount: s.checkedDialog(), checkingLines: s.linesDialog(),
		finished:       s.finishedDialog(),
		typingCurrency: s.currencyDialog(), confirmingCurrency: s.currencyConfirmation(),
		confirmingUndo: s.undoDialog(), choosingAnswer: s.openQuestionDialog(), storingAnswer: s.storingDialog(),
		choosingKind: s.offersDialog(), typingToken: s.tokenDialog(), choosingAccounts: s.accountsDialog(),
		confirmingRemoved: s.removedDialog(), confirmingDisconnect: s.disconnectDialog(),

		previewing: s.running(s.backToNames, "", func() (title, text string) { return "Import files", s.run.text }),
		importRunning: s.running(s.cancelChange, "files are being imported; leaving cancels that",
			func() (title, text string) { return "Importing", s.run.text }),
		checking: s.running(s.closeDialog, "",
			func() (title, text string) { return "Undo an import", "Finding out what goes" }),
		readingQuestions: s.running(s.closeDialog, "",
			func() (title, text string) { return "Questions", "Reading the questions" }),
		checkingCurrency: s.running(s.closeDialog, "",
			func() (title, text string) { return currencyTitle, "Finding out what changes" }),
		changingCurrency: s.running(s.cancelChange, "the currency is being changed; leaving cancels that",
			func() (title, text string) { return currencyTitle, "Changing the currency" }),
		undoing: s.running(s.cancelChange, "an import is being undone; leaving cancels that",
			func() (title, text string) { return "Undo an import", "Undoing" }),
		connecting: s.running(s.cancelChange, providerLeft, func() (title, text string) {
			name := s.connect.offer.kind.Title
			return "Connect " + name, "Asking " + name
		}),
		reading: s.running(s.cancelChange, providerLeft,
			func() (title, text string) { return "Read providers", s.run.text }),
		disconnecting: s.running(s.cancelChange, providerLeft,
			func() (title, text string) { return "Disconnect a provider", "Disconnecting" }),
	}
}

const providerLeft = "a provider is being connected or read; leaving cancels that"

// running returns the dialog of a running command. describe returns its title and what it does.
func (s *Screen) running(back func(), leaving string, describe func() (title, text string)) *dialog {
	return &dialog{
		help: "Running", back: back, leaving: leaving,
		keys: views.Actions{{Key: "esc", Help: "cancel", When: func() bool { return !s.run.cancelled }, Do: views.Do(back)}},
		draw: func() string {
			title, text := describe()
			return s.framed(title, func(width, _ int) ([]string, int) { return s.runLines(text, width), 0 })
		},
	}
}

// runLines draws what is running and how to cancel it.
func (s *Screen) runLines(text string, width int) []string {
	if s.run.cancelled {
		return styled(s.theme.Text, "Cancelling…", width)
	}
	lines := styled(s.theme.Text, text+"…", width)
	return append(append(lines, ""), s.theme.KeyName.Render("esc")+s.theme.KeyDesc.Render(" cancels"))
}

// dialog returns the open dialog, or nil while the lists are shown.
func (s *Screen) dialog() *dialog { return s.dialogs[s.mode] }

// closeDialog returns to the lists and cancels the running command.
func (s *Screen) closeDialog() {
	s.stop()
	s.mode = browsing
}

// cancelChange cancels a running change. Its result says whether it was cancelled or has succeeded.
func (s *Screen) cancelChange() {
	s.run.cancelled = true
	s.run.cancel()
}

func (d *dialog) press(press tea.KeyPressMsg) tea.Cmd {
	cmd, handled := d.keys.Press(press)
	switch {
	case handled:
	case d.edit != nil:
		d.edit(press)
	case d.move != nil:
		d.move(press)
	}
	return cmd
}

// widestDialog is the maximum width of a dialog with texts, in cells.
const widestDialog = 96

// framed draws a dialog in the middle of the page. It scrolls so that the line with the index that
// draw returns is visible.
func (s *Screen) framed(title string, draw func(width, rows int) (lines []string, at int)) string {
	frame := panel.Frame{
		Title: title, Note: s.steps(), Width: min(s.width, widestDialog), Height: s.height, Focused: true,
	}
	width, rows := panel.Inner(frame.Width, frame.Height)
	lines, at := draw(width, rows)
	const least = 4 // lines of a panel with a frame
	frame.Height = min(s.height, max(least, len(lines)+s.height-rows))
	frame.Body = func(_, rows int) []string { return lines[scrolled(len(lines), at, rows):] }
	box := panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now())
	return strings.Join(s.over(box, frame.Width), "\n")
}

// filled draws a dialog that fills the page, scrolled as framed does.
func (s *Screen) filled(title string, draw func(width, rows int) (lines []string, at int)) string {
	frame := panel.Frame{Title: title, Note: s.steps(), Width: s.width, Height: s.height, Focused: true}
	frame.Body = func(width, rows int) []string {
		lines, at := draw(width, rows)
		return lines[scrolled(len(lines), at, rows):]
	}
	return strings.Join(panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now()), "\n")
}

// over draws a box of lines over the middle of the page, whose own lines are faint.
func (s *Screen) over(box []string, width int) []string {
	page := make([]string, s.height)
	if value, _ := s.contents.Value(); value.counts() != [3]int{} {
		copy(page, s.page())
	}
	left, top := (s.width-width)/2, (s.height-len(box))/2
	for y := range page {
		plain := termtext.Fit(ansi.Strip(page[y]), s.width)
		if y < top || y >= top+len(box) {
			page[y] = s.theme.Faint.Render(plain)
			continue
		}
		before := termtext.Fit(ansi.Truncate(plain, left, ""), left)
		room := s.width - left - width
		after := ansi.TruncateLeft(plain, left+width, "")
		if termtext.Width(after) > room { // a wide character is cut in half
			after = ansi.TruncateLeft(plain, left+width+1, "")
		}
		after = strings.Repeat(" ", max(0, room-termtext.Width(after))) + after
		page[y] = s.theme.Faint.Render(before) + box[y-top] + s.theme.Faint.Render(after)
	}
	return page
}

// scrolled returns the index of the first visible line, so that line at of count is visible.
func scrolled(count, at, rows int) int { return max(0, min(at-rows+1+(rows-1)/2, count-rows)) }
