// Package test contains the command `test modules`. Metricbeat has such a command too, but it works only with Metricbeat's beater.
package test

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/elastic/beats/v7/libbeat/cmd/instance"
	"github.com/elastic/beats/v7/libbeat/testing"

	"dyno/collector/beater"
)

// GenTestModulesCmd creates the command. The command reads each metricset once and prints its event. It exits with 1 if a metricset cannot
// be read.
func GenTestModulesCmd(settings instance.Settings) *cobra.Command {
	return &cobra.Command{
		Use:   "modules [module] [metricset]",
		Short: "Test modules settings",
		Args:  cobra.MaximumNArgs(2),
		Run: func(_ *cobra.Command, args []string) {
			b, err := instance.NewInitializedBeat(settings)
			if err != nil {
				fail("Error initializing beat: %s\n", err)
			}
			modules, err := beater.Modules(&b.Beat, b.Beat.BeatConfig)
			if err != nil {
				fail("Error initializing modules: %s\n", err)
			}
			wanted := func(i int, name string) bool { return len(args) <= i || args[i] == name }
			var outcome outcome
			for _, module := range modules {
				for _, set := range module.MetricSets() {
					if !wanted(0, module.Name()) || !wanted(1, set.Name()) {
						continue
					}
					outcome.tests++
					outcome.watch(testing.NewConsoleDriver(os.Stdout)).Run(module.Name(), set.Test)
				}
			}
			if outcome.tests == 0 {
				fail("Error: the configuration has no metricset with the name %q\n", args)
			}
			if outcome.failed {
				os.Exit(1)
			}
		},
	}
}

func fail(format string, about any) {
	fmt.Fprintf(os.Stderr, format, about)
	os.Exit(1)
}

// outcome contains the results of all tests. The console's driver only prints them.
type outcome struct {
	tests  int
	failed bool
}

type watching struct {
	testing.Driver
	outcome *outcome
}

func (o *outcome) watch(driver testing.Driver) testing.Driver { return watching{driver, o} }

func (w watching) Run(name string, test func(testing.Driver)) {
	w.Driver.Run(name, func(inner testing.Driver) { test(w.outcome.watch(inner)) })
}

func (w watching) Error(field string, err error) {
	w.outcome.failed = w.outcome.failed || err != nil
	w.Driver.Error(field, err)
}
