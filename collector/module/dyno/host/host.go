// Package host reads metrics of a node's machine: processors, disks, pressure stall information and network. It works on Linux only.
package host

import (
	_ "embed" // the definitions of its fields
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
	"github.com/elastic/beats/v7/libbeat/paths"
	"github.com/elastic/beats/v7/metricbeat/mb"

	"dyno/collector/marker"
	"dyno/collector/module/dyno"
	"dyno/collector/module/dyno/counter"
)

// Fields are the definitions of this metricset's fields.
//
//go:embed _meta/fields.yml
var Fields string

func init() {
	mb.Registry.MustAddMetricSet(dyno.Name, "host", New)
}

// lookPeriod is the interval at which the collector asks the cluster which of its nodes are on this machine.
const lookPeriod = 5 * time.Minute

// lookAgain is the interval that replaces lookPeriod after a failed request to the cluster.
const lookAgain = 30 * time.Second

type config struct {
	// Hostfs is the mount point of the machine's root file system. The flag --system.hostfs sets it too.
	Hostfs     string   `config:"hostfs"`
	Disks      []string `config:"disks"`
	Interfaces []string `config:"interfaces"`
	// Elasticsearch contains the settings of the connection to the cluster. They are like those of the output: hosts, username, password,
	// api_key, ssl.
	Elasticsearch *common.Config `config:"elasticsearch"`
}

// MetricSet reads the machine on which it runs.
type MetricSet struct {
	mb.BaseMetricSet
	config     config
	linux      linux
	hostname   string
	clients    []eslegclient.Connection
	history    counter.History
	identities counter.Identities

	neighbours *neighbours
	lookDue    time.Time
	lookLogged bool
	logged     map[string]bool
}

// New creates the metricset.
func New(base mb.BaseMetricSet) (mb.MetricSet, error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("dyno/host needs Linux, this is %s", runtime.GOOS)
	}
	config := config{}
	if err := base.Module().UnpackConfig(&config); err != nil {
		return nil, fmt.Errorf("reading the configuration of dyno/host: %w", err)
	}
	if err := dyno.CheckPeriod(base.Module()); err != nil {
		return nil, err
	}
	if hosts := base.Module().Config().Hosts; len(hosts) > 1 {
		return nil, fmt.Errorf("hosts: dyno/host reads one machine, found %d; configure it as a separate module without hosts", len(hosts))
	}
	m := &MetricSet{BaseMetricSet: base, config: config, linux: linux{root: config.Hostfs}, logged: map[string]bool{}}
	if m.linux.root == "" {
		m.linux.root = paths.Resolve(paths.Hostfs, "")
	}
	var err error
	if m.hostname, err = os.Hostname(); err != nil {
		return nil, fmt.Errorf("asking for the machine's name: %w", err)
	}
	if config.Elasticsearch.Enabled() && config.Elasticsearch != nil {
		settings, err := common.MergeConfigs(common.MustNewConfigFrom(common.MapStr{"timeout": "1s"}), config.Elasticsearch)
		if err != nil {
			return nil, fmt.Errorf("reading elasticsearch of dyno/host: %w", err)
		}
		if m.clients, err = eslegclient.NewClients(settings, "dynobeat"); err != nil {
			return nil, fmt.Errorf("reading elasticsearch of dyno/host: %w", err)
		}
	}
	return m, nil
}

// Fetch reports one event.
func (m *MetricSet) Fetch(reporter mb.ReporterV2) error {
	cpu, err := m.linux.cpu()
	if err != nil {
		return err
	}
	now := reading{at: time.Now(), cpu: cpu, load: m.linux.load(), pressure: m.linux.pressures()}
	if now.disks, err = m.linux.disks(m.config.Disks); err != nil {
		m.once(err)
	}
	if network, err := m.linux.network(m.config.Interfaces); err != nil {
		m.once(err)
	} else {
		now.network = &network
	}
	fields := common.MapStr{"host": common.MapStr{"name": m.hostname, "hostname": m.hostname}}
	m.look(now.at)
	if n := m.neighbours; n != nil && len(n.ids) > 0 {
		if labels := marker.Shared().Read(n.cluster).Labels(now.at, n.ids[0]); labels != nil {
			labels.DeepUpdate(fields)
			fields = labels
		}
		fields["elasticsearch"] = common.MapStr{
			"cluster": common.MapStr{"id": n.cluster, "name": n.name},
			"node":    common.MapStr{"id": n.ids, "name": n.names},
		}
	}
	reporter.Event(mb.Event{
		ID: m.identities.Next(), RootFields: fields, MetricSetFields: fieldsOf(now, &m.history), Service: "host",
	})
	return nil
}

// once logs an error, unless the last logged error was the same.
func (m *MetricSet) once(err error) {
	if !m.logged[err.Error()] {
		m.logged[err.Error()] = true
		m.Logger().Warnf("%v", err)
	}
}

// look asks the cluster at intervals which of its nodes are on this machine. If the cluster does not answer, its last answer remains valid.
func (m *MetricSet) look(now time.Time) {
	if len(m.clients) == 0 || now.Before(m.lookDue) {
		return
	}
	found, err := findNeighbours(m.clients, m.hostname, ownAddresses())
	if err != nil {
		if !m.lookLogged {
			m.Logger().Warnf("cannot ask which Elasticsearch nodes are on this machine: %v", err)
		}
		m.lookLogged = true
		m.lookDue = now.Add(lookAgain)
		return
	}
	m.lookLogged = false
	m.neighbours = found
	m.lookDue = now.Add(lookPeriod)
}
