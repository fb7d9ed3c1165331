// Package importing lets the front ends show and change a company's own books: accounts, imports,
// and the steps from file names to an import. The books themselves belong to the service; the
// program passes them to the front ends as the interface Books.
package importing

import (
	"context"

	"tarmac/internal/ownbooks"
)

// Books reads and changes own books. Its methods may take minutes, and stop when ctx is canceled.
// All texts in their results are safe to print: each is one line without control characters.
type Books interface {
	List(ctx context.Context) (ownbooks.Contents, error)
	// Preview returns what importing the files would change, but changes nothing.
	Preview(ctx context.Context, batch ownbooks.Batch, progress *Progress) (ownbooks.Report, error)
	// Import imports all files or none. If Report.Failed is true, nothing was imported.
	Import(ctx context.Context, batch ownbooks.Batch, progress *Progress) (ownbooks.Report, error)
	// PreviewUndo returns what Undo would return, but changes nothing.
	PreviewUndo(ctx context.Context, id string) (ownbooks.Undone, error)
	Undo(ctx context.Context, id string) (ownbooks.Undone, error)
	// BankFiles returns those of the newest files in a directory that seem to come from a bank or
	// an accounting program, the newest first. It reads only their beginnings.
	BankFiles(ctx context.Context, directory string) ([]ownbooks.BankFile, error)
	// CheckAnswer returns an error for the user if the text does not answer the question. It does
	// not access the books.
	CheckAnswer(q ownbooks.Question, text string) error
	// Questions returns the open questions about the lines, the oldest first.
	Questions(ctx context.Context) ([]ownbooks.OpenQuestion, error)
	// GivenAnswers returns the questions that the user has answered, the oldest first, each with
	// its answer and with the choice to be asked again.
	GivenAnswers(ctx context.Context) ([]ownbooks.OpenQuestion, error)
	// Answer stores the answer to the question with an id. The answer is that of a choice. Other
	// questions may change with it, and new ones may arise.
	Answer(ctx context.Context, id, answer string) (ownbooks.Answered, error)
	// MarkBill says of a bill that it is paid or disputed, or takes that back: the state is paid,
	// disputed or open. The text is the bill's number, with the vendor's name after it.
	MarkBill(ctx context.Context, text, state string) (ownbooks.MarkedBill, error)
	// PreviewCurrency returns what SetCurrency would return, but changes nothing. The currency is a
	// code of ISO 4217, or auto for that of the oldest import.
	PreviewCurrency(ctx context.Context, currency string) (ownbooks.CurrencyChange, error)
	SetCurrency(ctx context.Context, currency string) (ownbooks.CurrencyChange, error)
}
