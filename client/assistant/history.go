package assistant

import (
	"context"

	"tarmac/client/answer"
	"tarmac/internal/civil"
)

// sourceOf returns where answers come from. Of large histories only the newest rows are read.
func sourceOf(source Source, today civil.Date) answer.Source {
	read := func(ctx context.Context, months int) (*answer.Past, error) {
		return new(answer.Reading).Read(ctx, source, today, months)
	}
	return answer.Source{Client: source, Now: today.Time(), History: read}
}
