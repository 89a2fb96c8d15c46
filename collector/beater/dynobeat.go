// Package beater runs the configured modules. It does what metricbeat/beater does for modules that stand in the
// configuration file; it leaves out autodiscover, which would bring the Kubernetes client along (half of the binary).
package beater

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/elastic/beats/v7/libbeat/beat"
	"github.com/elastic/beats/v7/libbeat/cfgfile"
	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/logp"
	"github.com/elastic/beats/v7/metricbeat/mb"
	"github.com/elastic/beats/v7/metricbeat/mb/module"

	"dyno/collector/marker"
)

type config struct {
	Modules []*common.Config `config:"modules"`
	// MaxStartDelay spreads the first reads of many modules, as in Metricbeat; none by default, for a trial may be short.
	MaxStartDelay time.Duration `config:"max_start_delay" validate:"min=0"`
	// ShutdownTimeout is what the end waits at most for the events that are not stored yet, as in Filebeat.
	ShutdownTimeout time.Duration  `config:"shutdown_timeout" validate:"min=0"`
	Marker          *common.Config `config:"marker"`
}

// defaults: an event may wait a second in the queue (queue.mem.flush.timeout) before it is on its way.
var defaults = config{ShutdownTimeout: 3 * time.Second}

type dynobeat struct {
	done    chan struct{}
	stop    sync.Once
	runners []cfgfile.Runner

	shutdownTimeout time.Duration
	log             *logp.Logger
}

// New makes the beat from its section `dynobeat` of the configuration.
func New(b *beat.Beat, section *common.Config) (beat.Beater, error) {
	config, err := read(b, section)
	if err != nil {
		return nil, err
	}
	beater := &dynobeat{done: make(chan struct{}), shutdownTimeout: config.ShutdownTimeout, log: logp.NewLogger("beater")}
	if b.InSetupCmd {
		return beater, nil
	}
	factory := module.NewFactory(b.Info,
		module.WithMaxStartDelay(config.MaxStartDelay), module.WithMetricSetInfo(), module.WithServiceName())
	pipeline := telling(b.Publisher, beater.log)
	for _, moduleConfig := range config.Modules {
		runner, err := factory.Create(pipeline, moduleConfig)
		if err != nil {
			return nil, err
		}
		beater.runners = append(beater.runners, runner)
	}
	return beater, nil
}

// Modules are those of the configuration that are enabled, for the command `test modules`: each starts at once.
func Modules(b *beat.Beat, section *common.Config) ([]*module.Wrapper, error) {
	config, err := read(b, section)
	if err != nil {
		return nil, err
	}
	return module.ConfiguredModules(config.Modules, nil, []module.Option{module.WithMetricSetInfo(), module.WithServiceName()})
}

// read returns the configuration with the modules that are enabled, and tells the marker's reader of it.
func read(b *beat.Beat, section *common.Config) (config, error) {
	config := defaults
	if err := section.Unpack(&config); err != nil {
		return config, fmt.Errorf("reading the section dynobeat of the configuration: %w", err)
	}
	if len(config.Modules) == 0 {
		return config, mb.ErrEmptyConfig
	}
	if b.InSetupCmd {
		return config, nil
	}
	config.Modules = slices.DeleteFunc(config.Modules, func(each *common.Config) bool { return !each.Enabled() })
	if len(config.Modules) == 0 {
		return config, mb.ErrAllModulesDisabled
	}
	if err := marker.Configure(config.Marker, b.Config.Output); err != nil {
		return config, fmt.Errorf("reading dynobeat.marker: %w", err)
	}
	return config, nil
}

// Run reads and ships until Stop is called.
func (d *dynobeat) Run(b *beat.Beat) error {
	if err := b.Manager.Start(); err != nil {
		return fmt.Errorf("starting the manager: %w", err)
	}
	defer b.Manager.Stop()
	for _, runner := range d.runners {
		runner.Start()
	}
	<-d.done
	var stopping sync.WaitGroup
	for _, runner := range d.runners {
		stopping.Add(1)
		go func() {
			defer stopping.Done()
			runner.Stop()
		}()
	}
	stopping.Wait()
	finish(d.shutdownTimeout, d.log)
	return nil
}

// Stop ends Run.
func (d *dynobeat) Stop() { d.stop.Do(func() { close(d.done) }) }
