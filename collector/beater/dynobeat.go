// Package beater runs the configured modules. It does what metricbeat/beater does for modules that stand in the
// configuration file; it leaves out autodiscover, which would bring the Kubernetes client along (half of the binary).
package beater

import (
	"fmt"
	"sync"
	"time"

	"github.com/elastic/beats/v7/libbeat/beat"
	"github.com/elastic/beats/v7/libbeat/cfgfile"
	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/metricbeat/mb"
	"github.com/elastic/beats/v7/metricbeat/mb/module"

	"dyno/collector/marker"
)

type config struct {
	Modules []*common.Config `config:"modules"`
	// MaxStartDelay spreads the first reads of many modules, as in Metricbeat; none by default, for a trial may be short.
	MaxStartDelay time.Duration  `config:"max_start_delay" validate:"min=0"`
	Marker        *common.Config `config:"marker"`
}

type dynobeat struct {
	done    chan struct{}
	stop    sync.Once
	runners []cfgfile.Runner
}

// New makes the beat from its section `dynobeat` of the configuration.
func New(b *beat.Beat, section *common.Config) (beat.Beater, error) {
	var config config
	if err := section.Unpack(&config); err != nil {
		return nil, fmt.Errorf("reading the section dynobeat of the configuration: %w", err)
	}
	if len(config.Modules) == 0 {
		return nil, mb.ErrEmptyConfig
	}
	beater := &dynobeat{done: make(chan struct{})}
	if b.InSetupCmd {
		return beater, nil
	}
	if err := marker.Configure(config.Marker, b.Config.Output); err != nil {
		return nil, fmt.Errorf("reading dynobeat.marker: %w", err)
	}
	factory := module.NewFactory(b.Info,
		module.WithMaxStartDelay(config.MaxStartDelay), module.WithMetricSetInfo(), module.WithServiceName())
	for _, moduleConfig := range config.Modules {
		if !moduleConfig.Enabled() {
			continue
		}
		runner, err := factory.Create(b.Publisher, moduleConfig)
		if err != nil {
			return nil, err
		}
		beater.runners = append(beater.runners, runner)
	}
	if len(beater.runners) == 0 {
		return nil, mb.ErrAllModulesDisabled
	}
	return beater, nil
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
	return nil
}

// Stop ends Run.
func (d *dynobeat) Stop() { d.stop.Do(func() { close(d.done) }) }
