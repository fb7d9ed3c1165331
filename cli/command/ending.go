package command

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tarmac/internal/panics"
)

// mostEnding is how long a command may still take after a signal. With the time to stop the
// process, it ends within a second.
const mostEnding = 600 * time.Millisecond

// EndSoon makes a command and its subcommands end soon after their context ends, whatever they are
// waiting for: a pipe, a device, or a long computation. The process then ends without them, so they
// must leave files and databases whole at every moment, as after a kill.
func EndSoon(env Env, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		EndSoon(env, sub)
	}
	run := cmd.RunE
	if run == nil || !env.OwnProcess {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return endSoon(cmd.Context(), func() error { return run(cmd, args) })
	}
}

// endSoon returns the result of do, or an error if the context ends and do does not return soon.
func endSoon(ctx context.Context, do func() error) error {
	var fault *panics.Fault
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if r := recover(); r != nil {
				fault = panics.Describe(r)
			}
			done <- err
		}()
		err = do()
	}()
	var late <-chan time.Time // nil until the context ends
	ended := ctx.Done()
	for {
		select {
		case err := <-done:
			if fault != nil {
				panic(fault)
			}
			return err
		case <-ended:
			ended, late = nil, time.After(mostEnding)
		case <-late:
			return fmt.Errorf("stopped by %w", context.Cause(ctx))
		}
	}
}
