package assistant

import (
	"context"

	"tarmac/client/answer"
	"tarmac/internal/civil"
)

// sourceOf returns the source of the answers to one call, which reads the transactions once. It
// reads only the newest ones of a large history.
func sourceOf(source Source, today civil.Date) answer.Source {
	var last *answer.Past
	read := func(ctx context.Context, months int) (past *answer.Past, err error) {
		if last == nil || len(last.Months) != months {
			if last, err = new(answer.Reading).Read(ctx, source, today, months); err != nil {
				return nil, err
			}
		}
		return last, nil
	}
	return answer.Source{Client: source, Now: today.Time(), History: read}
}
