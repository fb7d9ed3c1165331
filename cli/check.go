package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/cash"
	"tarmac/client/monitor"
	"tarmac/client/payables"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// maxCheckTime is the time after which a check that has no answer reports an unknown state.
const maxCheckTime = 10 * time.Second

// failureAnnotation marks a command that exits with its own code on any failure. The annotation's
// value is that code.
const failureAnnotation = "failure"

type checkFlags struct {
	runwayBelow, runwayCritical, cashBelow, cashCritical, overdueAbove, overdueCritical, staleAfter string
	billsPastDueAbove, billsDueAbove                                                                string
	billsDays                                                                                       int
	decideWithin, planFile                                                                          string

	onceFile string
}

func newCheck(env command.Env) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Compare runway, cash and overdue receivables with limits, for monitoring",
		Long: "check prints one line with a state and performance data, as the Monitoring Plugins guidelines describe it, " +
			"and exits with 0 (ok), 1 (warning), 2 (critical) or 3 (unknown).\n" +
			"Unknown are an unreachable server, a refused token, an unknown figure that has a limit (without limits: an " +
			"unknown runway or unknown cash), figures older than --stale-after, no answer within 10 seconds, and wrong " +
			"usage. Critical counts before unknown, unknown before warning. An organization without net burn " +
			"has no runway limit. Without critical limits, a runway of 0.0 " +
			"months and cash below zero are critical.\n" +
			"Limits of cash and receivables are in the company's currency: 250k, or for a company that reports in EUR also " +
			"€250k and 250k EUR. One in another currency is wrong usage.",
		Example: "tarmac check --runway-below 6 --runway-critical 3 --stale-after 2d\n" +
			"tarmac check --cash-below 250k --overdue-above 100k --once-per-crossing /var/tmp/tarmac.state",
		Annotations: map[string]string{failureAnnotation: strconv.Itoa(int(monitor.Unknown))},
	}
	cmd.Flags().StringVar(&f.runwayBelow, "runway-below", "", "warning if the runway in months is below this")
	cmd.Flags().StringVar(&f.runwayCritical, "runway-critical", "", "critical if the runway in months is below this")
	cmd.Flags().StringVar(&f.cashBelow, "cash-below", "", "warning if the cash is below this, such as 250k")
	cmd.Flags().StringVar(&f.cashCritical, "cash-critical", "", "critical if the cash is below this")
	cmd.Flags().StringVar(&f.overdueAbove, "overdue-above", "", "warning if overdue receivables are above this")
	cmd.Flags().StringVar(&f.overdueCritical, "overdue-critical", "", "critical if overdue receivables are above this")
	cmd.Flags().StringVar(&f.billsPastDueAbove, "bills-past-due-above", "", "warning if bills past due are above this")
	cmd.Flags().StringVar(&f.billsDueAbove, "bills-due-above", "", "warning if bills due soon are above this")
	cmd.Flags().IntVar(&f.billsDays, "bills-days", payables.Week, "days in which bills are due soon")
	cmd.Flags().StringVar(&f.decideWithin, "decide-within", "",
		"warning if money of the plan must be signed for within this time, such as 30d")
	cmd.Flags().StringVar(&f.planFile, "plan", "", "file with the plan for --decide-within")
	cmd.Flags().StringVar(&f.staleAfter, "stale-after", "", "unknown if the balance is older, such as 2d or 12h")
	cmd.Flags().StringVar(&f.onceFile, "once-per-crossing", "",
		"file that remembers the state; print nothing while the state stays the same")
	apiCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error { return a.check(ctx, f) })
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if err == nil || errors.As(err, new(checkState)) || errors.As(err, new(command.UsageError)) {
			return err
		}
		unknown := monitor.Thresholds{}.Check(monitor.Reading{Failures: []string{withoutSecrets(problem.Line(err))}})
		_, err = fmt.Fprintln(env.Stdout, unknown.Line())
		return errors.Join(checkState(unknown.State), err)
	}
	return cmd
}

// reportUnknown prints the line of a check that was not made, such as after wrong usage. Monitoring
// shows standard output alone. It prints nothing for commands without an exit code for failures.
func reportUnknown(env command.Env, failure int, text string) {
	if failure != int(monitor.Unknown) {
		return
	}
	unknown := monitor.Thresholds{}.Check(monitor.Reading{Failures: []string{text}})
	fmt.Fprintln(env.Stdout, termtext.Line(unknown.Line()))
}

// checkState is the exit code of a check that has printed its result.
type checkState monitor.State

func (s checkState) Error() string { return "the state is " + monitor.State(s).String() }

// check reads the figures that have limits, compares them with the limits, and prints the result.
func (a *call) check(ctx context.Context, f checkFlags) error {
	limits, err := f.thresholds()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, maxCheckTime)
	defer cancel()
	reading := a.reading(ctx, f)
	if err := f.setAmounts(&limits, reading); err != nil {
		return err
	}
	result := limits.Check(reading)
	changed := true
	if f.onceFile != "" {
		if changed, err = crossed(f.onceFile, result.State); err != nil {
			return err
		}
	}
	if changed || a.json {
		if err := a.printCheck(result); err != nil {
			return err
		}
	}
	if result.State == monitor.OK {
		return nil
	}
	return checkState(result.State)
}

func (a *call) printCheck(result monitor.Result) error {
	if a.json {
		return a.show(record.Object{
			record.Text("state", "", strings.ToLower(result.State.String())), record.Text("text", "", result.Text),
		})
	}
	_, err := fmt.Fprintln(a.out, termtext.Line(result.Line()))
	return err
}

// reading requests the figures concurrently. It requests only figures that have limits, because the
// token may not have the scope for others.
func (a *call) reading(ctx context.Context, f checkFlags) monitor.Reading {
	r := monitor.Reading{Now: a.Now()}
	var (
		wait sync.WaitGroup
		mu   sync.Mutex
	)
	read := func(fetch func() error) {
		wait.Go(func() {
			if err := fetch(); err != nil {
				mu.Lock()
				defer mu.Unlock()
				r.Failures = append(r.Failures, withoutSecrets(problem.Line(err)))
			}
		})
	}
	read(func() error {
		position, err := cash.Read(ctx, a.client)
		if err == nil {
			r.Cash = &position
		}
		return err
	})
	if f.overdueAbove != "" || f.overdueCritical != "" {
		read(func() (err error) { r.Aging, err = a.client.ReceivablesAging(ctx); return err })
	}
	if f.billsPastDueAbove != "" || f.billsDueAbove != "" {
		r.BillDays = f.billsDays
		read(func() (err error) { r.Bills, err = a.readBills(ctx); return err })
	}
	if f.decideWithin != "" {
		a.choosePlan(f.planFile)
		read(func() (err error) { r.Decision, err = a.decision(ctx); return err })
	}
	if f.staleAfter != "" {
		read(func() (err error) { r.Account, err = a.client.Account(ctx); return err })
	}
	wait.Wait()
	return r
}

// maxBillDays is the largest value of --bills-days.
const maxBillDays = 366

// thresholds parses the values of the flags with limits. Amounts are only validated, and set by
// setAmounts when their currency is known.
func (f checkFlags) thresholds() (t monitor.Thresholds, err error) {
	for _, limit := range [...]struct {
		flag, text string
		months     **apiclient.Months // nil for an amount
	}{
		{"--runway-below", f.runwayBelow, &t.RunwayBelow},
		{"--runway-critical", f.runwayCritical, &t.RunwayCritical},
		{"--cash-below", f.cashBelow, nil},
		{"--cash-critical", f.cashCritical, nil},
		{"--overdue-above", f.overdueAbove, nil},
		{"--overdue-critical", f.overdueCritical, nil},
		{"--bills-past-due-above", f.billsPastDueAbove, nil},
		{"--bills-due-above", f.billsDueAbove, nil},
	} {
		switch {
		case limit.text == "":
		case limit.months != nil:
			months, err := parseMonths(limit.flag, limit.text)
			if err != nil {
				return t, err
			}
			*limit.months = &months
		default:
			if _, err := money.ParseTyped(limit.text); err != nil {
				return t, command.Usagef("%s: %w", limit.flag, err)
			}
		}
	}
	if f.billsDays < 0 || f.billsDays > maxBillDays {
		return t, command.Usagef("--bills-days must be from 0 to %d", maxBillDays)
	}
	if f.decideWithin != "" {
		days, err := dayCount("--decide-within", f.decideWithin)
		if err != nil {
			return t, err
		}
		t.DecideWithin = &days
	}
	if f.staleAfter != "" {
		if t.StaleAfter, err = command.ParseDuration("--stale-after", f.staleAfter); err == nil && t.StaleAfter <= 0 {
			err = command.Usagef("--stale-after must be greater than zero, such as 2d")
		}
	}
	return t, err
}

// setAmounts sets the limits of the figures that were read, in the currency of these figures.
func (f checkFlags) setAmounts(t *monitor.Thresholds, r monitor.Reading) error {
	type limit struct {
		flag, text, currency string
		minor                **int64
	}
	var limits []limit
	if r.Cash != nil {
		currency := r.Cash.Position.Currency
		limits = append(limits, limit{"--cash-below", f.cashBelow, currency, &t.CashBelow},
			limit{"--cash-critical", f.cashCritical, currency, &t.CashCritical})
	}
	if r.Aging != nil {
		currency := r.Aging.Currency
		limits = append(limits, limit{"--overdue-above", f.overdueAbove, currency, &t.OverdueAbove},
			limit{"--overdue-critical", f.overdueCritical, currency, &t.OverdueCritical})
	}
	if r.Bills != nil {
		currency := cmp.Or(r.Bills.Currency, apiclient.DefaultCurrency) // a server without bills names none
		limits = append(limits, limit{"--bills-past-due-above", f.billsPastDueAbove, currency, &t.BillsPastDueAbove},
			limit{"--bills-due-above", f.billsDueAbove, currency, &t.BillsDueAbove})
	}
	for _, limit := range limits {
		if limit.text == "" {
			continue
		}
		minor, err := money.Parse(limit.text, limit.currency)
		if err != nil {
			return command.Usagef("%s: %w", limit.flag, err)
		}
		*limit.minor = &minor
	}
	return nil
}

// parseMonths parses a number of months with at most one decimal, such as "6" or "4.5".
func parseMonths(flag, text string) (apiclient.Months, error) {
	whole, tenth, decimal := strings.Cut(text, ".")
	months, err := strconv.ParseInt(whole, 10, 32)
	tenths := int64(0)
	if err == nil && decimal {
		tenths, err = strconv.ParseInt(tenth, 10, 8)
	}
	if err != nil || months < 0 || tenths < 0 || tenths > 9 || len(tenth) > 1 {
		return apiclient.Months{}, command.Usagef("%s must be a number of months such as 6 or 4.5, not %s", flag,
			command.Quoted(text))
	}
	return apiclient.MonthsOf(months*10 + tenths), nil
}

// crossed reports whether the state differs from the state in the file, and writes the new state to
// the file. If there is no file, the earlier state counts as OK.
func crossed(file string, state monitor.State) (bool, error) {
	before, err := privatefile.Read(file, 64)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	was := strings.TrimSpace(string(before))
	if was == "" {
		was = monitor.OK.String()
	}
	if was == state.String() && err == nil {
		return false, nil
	}
	return was != state.String(), privatefile.Write(file, []byte(state.String()+"\n"))
}
