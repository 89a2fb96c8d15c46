package node

import (
	"net"
	"net/netip"
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/metricbeat/mb"

	"dyno/collector/marker"
	"dyno/collector/module/dyno/counter"
)

// forgetNodesAfter is the time after which an absent node is forgotten. If it returns later, it counts as new.
const forgetNodesAfter = time.Hour

// recorder creates events from responses. It stores each node's counters to calculate their changes. It is not safe for concurrent use.
type recorder struct {
	nodes      map[string]*counter.History
	identities counter.Identities
}

func newRecorder() *recorder { return &recorder{nodes: map[string]*counter.History{}} }

// about contains facts about the nodes and the cluster that `_nodes/stats` does not contain.
type about struct {
	cluster clusterAnswer
	nodes   map[string]*nodeFacts
	marker  *marker.Document
	now     time.Time
}

// events creates one event per node.
func (r *recorder) events(stats tree, about about) []mb.Event {
	nodes := stats.at("nodes").children()
	events := make([]mb.Event, 0, len(nodes))
	for id, node := range nodes {
		if !node.isObject() || id == "" {
			continue
		}
		before, known := r.nodes[id]
		if !known {
			before = &counter.History{}
			r.nodes[id] = before
		}
		events = append(events, r.event(id, node, before, about))
	}
	for id, node := range r.nodes {
		if about.now.Sub(node.Seen()) > forgetNodesAfter {
			delete(r.nodes, id)
		}
	}
	return events
}

func (r *recorder) event(id string, node tree, before *counter.History, about about) mb.Event {
	facts := about.nodes[id]
	if facts == nil {
		facts = &nodeFacts{}
	}
	timestamp := int64(valueOf(node.number("timestamp")))
	if timestamp <= 0 || timestamp > maxTimestamp {
		timestamp = about.now.UnixMilli()
	}
	making := before.Begin(counter.Moment{
		Timestamp: timestamp, Now: about.now, Uptime: node.at("jvm").number("uptime_in_millis"),
		Vital: map[string]*counter.Value{"cpu.process.time.ms": node.at("process", "cpu").number("total_in_millis"), "http.opened": node.at("http").number("total_opened")},
	})
	measure(making.Section, node, facts)
	metrics := making.End()
	at := time.UnixMilli(timestamp).UTC()
	metrics["timestamp"] = at
	fields := common.MapStr{}
	if labels := about.marker.Labels(at, id); labels != nil {
		fields = labels
	}
	fields["elasticsearch"] = identity(id, node, about.cluster)
	fields["service"] = nonEmpty(common.MapStr{"name": about.cluster.Name, "version": facts.Version})
	fields["host"] = nonEmpty(common.MapStr{"name": or(facts.Host, node.text("host")), "ip": address(or(facts.IP, node.text("ip")))})
	return mb.Event{ID: r.identities.Next(), RootFields: fields, MetricSetFields: metrics, Service: "elasticsearch"}
}

// maxTimestamp is the end of the year 9999, which is the last time that Elasticsearch's default date format accepts.
const maxTimestamp = 253402300799999

func identity(id string, node tree, cluster clusterAnswer) common.MapStr {
	about := nonEmpty(common.MapStr{"id": id, "name": node.text("name")})
	var roles []string
	for _, role := range node.list("roles") {
		if name := role.text(); name != "" && len(roles) < counter.MostNames {
			roles = append(roles, name)
		}
	}
	if len(roles) > 0 {
		about["roles"] = roles
	}
	return common.MapStr{
		"cluster": nonEmpty(common.MapStr{"id": cluster.UUID, "name": cluster.Name}),
		"node":    about,
	}
}

func nonEmpty(fields common.MapStr) common.MapStr {
	for name, value := range fields {
		if value == "" {
			delete(fields, name)
		}
	}
	return fields
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// address returns the IP address in `127.0.0.1`, `127.0.0.1:9300` or `[::1]:9300`. It returns an empty text for anything else.
func address(text string) string {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return ""
	}
	return ip.WithZone("").String()
}
