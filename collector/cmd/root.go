// Package cmd contains the commands of dynobeat. They are libbeat's commands, with defaults that Dyno's indices need.
package cmd

import (
	"github.com/elastic/beats/v7/libbeat/cfgfile"
	libbeat "github.com/elastic/beats/v7/libbeat/cmd"
	"github.com/elastic/beats/v7/libbeat/cmd/instance"
	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/publisher/processing"

	"dyno/collector/beater"
	"dyno/collector/cmd/test"
	"dyno/collector/opensearch"

	// Registers the modules and the definitions of their fields.
	_ "dyno/collector/include"
)

const (
	// Name of the beat, of its configuration file and of its section in that file.
	Name = "dynobeat"

	// Index is the default index of events.
	Index = "dyno-metrics-%{+yyyy.MM}"

	// ecsVersion is the version of the Elastic Common Schema to which the events conform.
	ecsVersion = "1.12.0"
)

// Version of dynobeat; the build sets it to the version of Dyno.
var Version = "0.0.0"

// defaults for settings that dynobeat.yml does not contain. libbeat's template and ILM are off, because Dyno's own template has strict
// mappings for monthly indices. dynobeat sends an event again until it is stored.
var defaults = map[string]interface{}{
	"setup.template.enabled": false,
	"setup.template.name":    "dyno-metrics",
	"setup.template.pattern": "dyno-metrics-*",
	"setup.ilm.enabled":      false,
}

// outputDefaults are the defaults of an output that stores events.
func outputDefaults(output string) map[string]interface{} {
	return map[string]interface{}{
		"output." + output + ".index":       Index,
		"output." + output + ".max_retries": -1,
		// libbeat's default is 1 minute. After an outage, that would delay the metrics of a running trial too long.
		"output." + output + ".backoff.max": "10s",
	}
}

// RootCmd is the command `dynobeat`.
func RootCmd() *libbeat.BeatsRootCmd {
	always := func(*common.Config) bool { return true }
	settings := instance.Settings{
		Name:        Name,
		IndexPrefix: "dyno-metrics",
		Version:     Version,
		// WithHost is not used, because it would set host.* to the collector's machine. The metricsets set host.* to the measured machine,
		// and agent.* describes the collector.
		Processing: processing.MakeDefaultSupport(true, processing.WithFields(common.MapStr{
			"ecs": common.MapStr{"version": ecsVersion},
		}), processing.WithAgentMeta()),
		ConfigOverrides: []cfgfile.ConditionalOverride{
			{Check: always, Config: common.MustNewConfigFrom(defaults)},
			{Check: hasOutput("elasticsearch"), Config: common.MustNewConfigFrom(outputDefaults("elasticsearch"))},
			{Check: hasOutput(opensearch.Name), Config: common.MustNewConfigFrom(outputDefaults(opensearch.Name))},
		},
	}
	root := libbeat.GenRootCmdWithSettings(beater.New, settings)
	root.TestCmd.AddCommand(test.GenTestModulesCmd(settings))
	return root
}

func hasOutput(output string) func(*common.Config) bool {
	return func(config *common.Config) bool {
		found, err := config.Has("output."+output, -1)
		return err == nil && found
	}
}
