// Package beater runs the configured modules. It works like metricbeat/beater for modules in the configuration file, but without
// autodiscover, because the Kubernetes client that autodiscover needs would double the size of the binary.
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
	// MaxStartDelay is the maximum random delay of a module's first read, as in Metricbeat. It keeps many modules from reading at the same
	// moment. The default is 0, because a trial may be short.
	MaxStartDelay time.Duration `config:"max_start_delay" validate:"min=0"`
	// ShutdownTimeout is the maximum time that a shutdown waits for events that are not stored yet, as in Filebeat.
	ShutdownTimeout time.Duration  `config:"shutdown_timeout" validate:"min=0"`
	Marker          *common.Config `config:"marker"`
}

// defaults of the section `dynobeat`. The shutdown timeout exceeds 1 second, which is the maximum time that an event waits in the queue
// (queue.mem.flush.timeout).
var defaults = config{ShutdownTimeout: 3 * time.Second}

type dynobeat struct {
	done    chan struct{}
	stop    sync.Once
	runners []cfgfile.Runner

	shutdownTimeout time.Duration
	log             *logp.Logger
}

// New creates the beat from the section `dynobeat` of the configuration.
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
	pipeline := warning(b.Publisher, beater.log)
	for _, moduleConfig := range config.Modules {
		runner, err := factory.Create(pipeline, moduleConfig)
		if err != nil {
			return nil, err
		}
		beater.runners = append(beater.runners, runner)
	}
	return beater, nil
}

// Modules returns the enabled modules of the configuration, for the command `test modules`. The modules start without a random delay.
func Modules(b *beat.Beat, section *common.Config) ([]*module.Wrapper, error) {
	config, err := read(b, section)
	if err != nil {
		return nil, err
	}
	return module.ConfiguredModules(config.Modules, nil, []module.Option{module.WithMetricSetInfo(), module.WithServiceName()})
}

// read returns the configuration with the enabled modules, and configures the reader of markers.
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

// Run reads and sends events until Stop is called.
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
