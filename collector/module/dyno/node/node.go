// Package node reads `_nodes/stats` of the cluster under test and creates one event per node.
package node

import (
	_ "embed" // the definitions of its fields
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/elastic/beats/v7/metricbeat/helper"
	"github.com/elastic/beats/v7/metricbeat/mb"

	"dyno/collector/marker"
	"dyno/collector/module/dyno"
)

// Fields are the definitions of this metricset's fields.
//
//go:embed _meta/fields.yml
var Fields string

// largestAnswer is the maximum size of a response, in bytes. A thousand nodes need less.
const largestAnswer = 64 << 20

func init() {
	mb.Registry.MustAddMetricSet(dyno.Name, "node", New, mb.WithHostParser(dyno.HostParser), mb.DefaultMetricSet())
}

type config struct {
	Scope       string        `config:"scope"`
	APIKey      string        `config:"api_key"`
	FactsPeriod time.Duration `config:"facts_period" validate:"positive"`
}

// Validate is called after the configuration was parsed.
func (c *config) Validate() error {
	if c.Scope != "cluster" && c.Scope != "node" {
		return fmt.Errorf("scope: found %q, allowed are cluster and node", c.Scope)
	}
	return nil
}

// MetricSet reads one cluster, or one node.
type MetricSet struct {
	mb.BaseMetricSet
	http        *helper.HTTP
	base        string // URL of the host without a trailing slash
	config      config
	parser      parser
	recorder    *recorder
	about       about
	factsDue    time.Time
	factsLogged bool
}

// New creates the metricset of one host.
func New(base mb.BaseMetricSet) (mb.MetricSet, error) {
	config := config{Scope: "cluster", FactsPeriod: 5 * time.Minute}
	if err := base.Module().UnpackConfig(&config); err != nil {
		return nil, fmt.Errorf("reading the configuration of dyno/node: %w", err)
	}
	if err := dyno.CheckPeriod(base.Module()); err != nil {
		return nil, err
	}
	if hosts := base.Module().Config().Hosts; config.Scope == "cluster" && len(hosts) > 1 {
		return nil, fmt.Errorf("hosts: with `scope: cluster` one host answers for all nodes, found %d; configure only one, or use `scope: node`", len(hosts))
	}
	if base.HostData().SanitizedURI == "" {
		return nil, errors.New("hosts: dyno/node needs the address of the cluster, such as http://localhost:9200")
	}
	client, err := helper.NewHTTP(base)
	if err != nil {
		return nil, fmt.Errorf("making the HTTP client of dyno/node: %w", err)
	}
	if config.APIKey != "" {
		client.SetHeader("Authorization", "ApiKey "+base64.StdEncoding.EncodeToString([]byte(config.APIKey)))
	}
	return &MetricSet{
		BaseMetricSet: base,
		http:          client,
		base:          strings.TrimRight(base.HostData().SanitizedURI, "/"),
		config:        config,
		recorder:      newRecorder(),
	}, nil
}

// Fetch reports one event per node.
func (m *MetricSet) Fetch(reporter mb.ReporterV2) error {
	if now := time.Now(); !now.Before(m.factsDue) {
		m.readFacts(now)
	}
	body, err := m.get("/_nodes"+m.local()+"/stats", statsFilter)
	if err != nil {
		return fmt.Errorf("reading the nodes' statistics: %w", err)
	}
	stats, err := m.parser.parse(body)
	if err != nil {
		return fmt.Errorf("reading the nodes' statistics: %w", err)
	}
	m.about.now = time.Now()
	// The marker is read after the node stats, so that it contains every phase that began before them.
	m.about.marker = marker.Shared().Read(m.about.cluster.UUID)
	for _, event := range m.recorder.events(stats, m.about) {
		if !reporter.Event(event) {
			return nil
		}
	}
	for id := range stats.at("nodes").children() {
		if _, known := m.about.nodes[id]; !known {
			m.factsDue = time.Time{}
		}
	}
	return nil
}

func (m *MetricSet) local() string {
	if m.config.Scope == "node" {
		return "/_local"
	}
	return ""
}

// readFacts reads values that rarely change. If that fails, events lack the capacities of queues, the versions and the cluster's uuid, and
// the next period tries again.
func (m *MetricSet) readFacts(now time.Time) {
	var cluster clusterAnswer
	var facts factsAnswer
	read := func(path, filter string, into any) error {
		body, err := m.get(path, filter)
		if err != nil {
			return err
		}
		return decode(body, into)
	}
	err := read("/_nodes"+m.local()+"/thread_pool", factsFilter, &facts)
	if err == nil {
		err = read("/_cluster/state/version", "cluster_name,cluster_uuid", &cluster)
	}
	if err != nil {
		if !m.factsLogged {
			m.Logger().Warnf("cannot read the facts of the cluster: events lack queue capacities, versions and the cluster's uuid until they can be read: %v", err)
		}
		m.factsLogged = true
		return
	}
	// A cluster that has not formed yet has no uuid.
	if cluster.UUID == "_na_" {
		cluster.UUID = ""
	}
	m.factsLogged = false
	m.about.cluster, m.about.nodes = cluster, facts.Nodes
	m.factsDue = now.Add(m.config.FactsPeriod)
	if cluster.UUID == "" {
		m.factsDue = now
	}
}

func (m *MetricSet) get(path, filter string) ([]byte, error) {
	query := "?filter_path=" + url.QueryEscape(filter)
	m.http.SetURI(m.base + path + query)
	answer, err := m.http.FetchResponse()
	if err != nil {
		// The query string with the filter would make up most of the message, so it is removed from the URL. The error does not wrap its
		// cause anyway.
		return nil, errors.New(strings.Replace(err.Error(), query, "", 1))
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, largestAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the answer of %s: %w", path, err)
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answered %s", path, answer.Status)
	case len(body) > largestAnswer:
		return nil, fmt.Errorf("%s answered more than %d bytes", path, largestAnswer)
	}
	return body, nil
}
