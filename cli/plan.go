package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/client/settings"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

func newPlan(env command.Env) *cobra.Command {
	var file, against string
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Show what the plan comes to: how long the cash lasts, and by when money must be there",
		Long: "plan reads a text file with budgets, hires, taxes, costs, income and raises, one on a line, and shows how " +
			"long the cash lasts with them, without raises, and in each case of the file. It says by when money must be " +
			"there and signed for. Names behind a colon replace what these counterparties cost or brought so far; " +
			"lines without names add to it. docs/plan.md has the words of the file and the rules.\n" +
			"The file is own-books.plan or PROFILE.plan beside the settings, the profile's `plan`, or --plan. " +
			"--against compares a month with the plan.",
		Example: "tarmac plan\ntarmac plan add 'hire 2 \"engineer\" 9k/month from March'\n" +
			"tarmac plan --against october\ntarmac plan check",
	}
	cmd.PersistentFlags().StringVar(&file, "plan", "", "read the plan from this file")
	cmd.Flags().StringVar(&against, "against", "", "compare this month with the plan, such as october or 2026-10")
	answerCommand(env, cmd, func(ctx context.Context, a *call) (*answer.Doc, error) {
		a.choosePlan(file)
		if !cmd.Flags().Changed("against") {
			return answer.Plan(ctx, a.source(), a.plan())
		}
		month, err := answer.ParseMonth("against", against, civil.Of(a.Now()))
		if err != nil {
			return nil, err
		}
		return answer.PlanMonth(ctx, a.source(), answer.PlanMonthParams{PlanParams: a.plan(), Month: month})
	})
	cmd.AddCommand(newPlanCheck(env, &file), newPlanAdd(env, &file), newPlanConfirm(env, &file))
	return cmd
}

func (a *call) choosePlan(file string) {
	if file != "" {
		a.planFile = file
	}
}

// readPlan reads the plan. If the plan is missing, the error says how to begin one.
func (a *call) readPlan() (p *plan.Plan, text string, err error) {
	switch {
	case a.planFile == "" && a.noPlan != nil:
		return nil, "", a.noPlan
	case a.planFile == "":
		return nil, "", command.Usagef("without a profile, --plan must name the file with the plan")
	}
	p, text, err = plan.File{Path: a.planFile}.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", noPlanFile(a.planFile)
	}
	return p, text, err
}

// noPlanFile is the error for a file without a plan.
type noPlanFile string

func (path noPlanFile) Error() string {
	return "there is no plan in " + termtext.Line(string(path)) +
		"; begin one with `tarmac plan add 'hire \"engineer\" 9k/month from March'`"
}

func (noPlanFile) Unwrap() error { return fs.ErrNotExist }

// plan returns the plan for questions.
func (a *call) plan() answer.PlanParams {
	read := func() (*plan.Plan, error) {
		p, _, err := a.readPlan()
		return p, err
	}
	return answer.PlanParams{Read: read, File: a.planFile}
}

// decision returns by when money is needed.
func (a *call) decision(ctx context.Context) (*plan.Decision, error) {
	p, err := answer.ReadPlan(ctx, a.source(), a.plan())
	if err != nil {
		return nil, err
	}
	return &plan.Evaluate(p.Plan, p.Basis).Decision, nil
}

func newPlanCheck(env command.Env, file *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the text of the plan, and show how its lines are read",
		Long: "check reads the plan without a server. It says with line and column what is wrong (exit code 1), shows how " +
			"each line is read, with years, and warns of counterparties that two lines name: they belong to the first one.",
		Example: "tarmac plan check\ntarmac plan check --plan cash.plan",
		Args:    command.NoArguments,
	}
	a := &call{Env: env}
	a.flags.register(cmd)
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(*cobra.Command, []string) error {
		if _, err := a.resolve(); err != nil && *file == "" {
			return err
		}
		a.choosePlan(*file)
		return withBufferedOutput(env, &a.out, a.checkPlan)
	}
	return cmd
}

// checkPlan shows how the lines of the plan are read.
func (a *call) checkPlan() error {
	p, _, err := a.readPlan()
	if err != nil {
		return err
	}
	rows := record.DescribeAll(p.Lines, func(l *plan.Line) record.Object { return record.PlanLine(p, l) })
	if len(rows) > 0 {
		if err := a.showRows(rows[0], rows); err != nil {
			return err
		}
	}
	for _, o := range p.Overlaps() {
		a.note("Lines %d and %d both name %s, which belongs to line %d.", o.First.Number, o.Second.Number,
			termtext.Line(o.Name), o.First.Number)
	}
	a.note("%s, no mistakes. It begins in %s, with amounts in %s.", plural.Count(len(p.Lines), "line"),
		figures.YearMonth(p.First), money.Name(p.Currency))
	return nil
}

func newPlanAdd(env command.Env, file *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add 'LINE'",
		Short: "Add a line to the plan, which begins with the first one",
		Long: "add appends a line to the file of the plan and prints how it is read. Without a file it begins one with " +
			"this month, in the currency of the company's figures. A line that is wrong changes nothing.",
		Example: "tarmac plan add 'hire 2 \"engineer\" 9k/month from March in \"Payroll\"'\n" +
			"tarmac plan add 'raise \"Seed\" 1.5M on 2027-06-15, takes 10 weeks'",
		Args: oneLine,
	}
	return writeCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		a.choosePlan(*file)
		_, was, err := a.readPlan()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		text, err := a.planOrNew(ctx, was, *file == "")
		if err != nil {
			return err
		}
		text, l, err := plan.Add(text, args[0])
		if err != nil {
			var wrong *plan.Error
			if errors.As(err, &wrong) {
				return command.Usagef("column %d: %s", wrong.Column, wrong.Text)
			}
			return err
		}
		p, err := plan.Parse(text)
		if err != nil {
			return err
		}
		if err := (plan.File{Path: a.planFile}).Replace(was, text); err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.out, "Added to %s:\n%s\n", termtext.Line(a.planFile), l.Text(p))
		return err
	})
}

// planOrNew returns text or, if it is empty, the text of a new plan. The profile's own plan gets
// the what-ifs of earlier versions as cases.
func (a *call) planOrNew(ctx context.Context, text string, own bool) (string, error) {
	currency := ""
	if text == "" {
		position, err := cash.Read(ctx, a.client)
		if err != nil {
			return "", err
		}
		currency = position.Position.Currency
	}
	if directory, err := settings.StateDirectory(a.Getenv); own && err == nil && !plan.HasCarriedOver(text) {
		folder := state.Directory(directory)
		whatIfs, err := folder.List(plan.WhatIfPrefix)
		if err != nil {
			a.note("What-ifs of earlier versions were not looked for: %s", err.Error())
		}
		if len(whatIfs) > 0 {
			ping, err := a.client.Ping(ctx)
			if err != nil {
				return "", err
			}
			text = plan.CarryOver(text, folder, a.client.Origin(), ping.OrgID, currency)
		}
	}
	if text == "" {
		text = plan.Begin(civil.Of(a.Now()), currency)
	}
	return text, nil
}

// oneLine returns a usage error unless there is exactly one argument, a line of a plan.
func oneLine(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return command.Usagef("plan add requires one line in quotation marks, such as 'hire \"engineer\" 9k/month'")
	}
	return nil
}

func newPlanConfirm(env command.Env, file *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "confirm",
		Short: "Confirm by hand which payments are what the plan says",
		Long: "confirm asks for each line whose day has come, and that names nobody, about what fits: a counterparty whose " +
			"month rose by 80 to 120 % of the amount, or money of investors and lenders for a raise. Only y writes the " +
			"answer into the file. From then on a monthly line is a budget for that counterparty: what it cost before, and " +
			"the line.",
		Example: "tarmac plan confirm",
		Args:    command.NoArguments,
	}
	return writeCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		if !command.IsTerminal(a.Stdin) {
			return command.Usagef("only a person confirms: run this in a terminal")
		}
		a.choosePlan(*file)
		return a.confirmPlan(ctx)
	})
}

// confirmPlan asks about each candidate until one of its line is confirmed.
func (a *call) confirmPlan(ctx context.Context) error {
	p, text, err := a.readPlan()
	if err != nil {
		return err
	}
	in := answer.PlanParams{Read: func() (*plan.Plan, error) { return p, nil }}
	planned, err := answer.ReadPlan(ctx, a.source(), in)
	if err != nil {
		return err
	}
	candidates, confirmed := plan.ConfirmCandidates(p, planned.Basis), map[int]bool{}
	if len(candidates) == 0 {
		a.note("Nothing is to be confirmed.")
	}
	answers := bufio.NewReader(a.Stdin)
	for i := range candidates {
		c := &candidates[i]
		if confirmed[c.Line.Number] {
			continue
		}
		a.note("%s", c.Line.Text(p))
		a.note("Is it %s, %s since %s? y writes that into the plan, enter leaves it.", termtext.Line(c.Name), c.Rise, c.Day)
		answer, err := answers.ReadString('\n')
		if err != nil {
			return errors.New("ended before an answer; nothing more was written")
		}
		if strings.TrimSpace(answer) != "y" {
			continue
		}
		next := plan.WithLine(text, c.Line.Number, c.Confirmed(p))
		if err := (plan.File{Path: a.planFile}).Replace(text, next); err != nil {
			return err
		}
		text, confirmed[c.Line.Number] = next, true
		a.note("Written: %s", c.Confirmed(p))
	}
	return nil
}
