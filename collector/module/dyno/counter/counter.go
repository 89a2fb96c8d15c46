// Package counter creates the metrics of an event. A metric is a gauge, or a counter with its total and its increase since the last event.
// The package handles restarts, gaps and changes of clocks.
package counter

import (
	"strings"
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
)

// Life says which event sets a counter back to 0.
type Life int

const (
	// OfProcess counters restart with the node's process.
	OfProcess Life = iota
	// OfHost counters restart with the machine or the container.
	OfHost
	// Shrinking counters may decrease without a restart. For example, a sum over the current shards decreases when a shard is deleted or
	// moves to another node. If such a counter decreases, the event contains only its total and no change.
	Shrinking
)

// History is the state of one node or host between two events. Its zero value is ready for the first event.
type History struct {
	counters  map[string]remembered
	timestamp int64     // ms by the node's clock
	uptime    int64     // ms
	seen      time.Time // by the collector's clock
	process   int       // how many restarts were seen
	round     int       // how many events were made
}

type remembered struct {
	value   int64
	process int
	round   int
}

const (
	// forgetAfterRounds is the number of consecutive events without a counter after which the state of the counter may be dropped.
	forgetAfterRounds = 100
	// clockSlack is the tolerated drift between the uptime and the clock of a process, in ms.
	clockSlack = 5000
)

// Moment describes when the metrics of an event were read.
type Moment struct {
	// Timestamp is the time by the clock of the node or host, in ms since the epoch.
	Timestamp int64
	// Now is the time by the collector's own clock.
	Now time.Time
	// Uptime is the uptime of the process in ms; nil if it is not reported.
	Uptime *Value
	// Vital contains counters of the process. If they decrease, the process has restarted. A change of the clock does not affect them.
	Vital map[string]*Value
}

// Event collects the metrics of one event.
type Event struct {
	Section
	// First is true for the first event, which contains no changes.
	First bool
	// Interval is the time since the last event in ms; 0 in the first event.
	Interval int64

	history   *History
	reported  int
	restarted bool
}

// Seen returns the time of the last event, by the collector's clock.
func (h *History) Seen() time.Time { return h.seen }

// Begin starts the next event.
func (h *History) Begin(at Moment) *Event {
	event := &Event{First: h.round == 0, history: h}
	event.Section = Section{group: &group{fields: make(common.MapStr, 32)}, event: event}
	if event.First {
		h.counters = make(map[string]remembered, 256)
	} else {
		event.Interval = at.Timestamp - h.timestamp
		// The clock was set back or has stopped.
		if event.Interval <= 0 {
			event.Interval = max(at.Now.Sub(h.seen).Milliseconds(), 1)
		}
		if h.isAnotherProcess(at) {
			h.process++
			event.restarted = true
		}
	}
	h.round++
	h.timestamp, h.seen, h.uptime = at.Timestamp, at.Now, 0
	if at.Uptime != nil {
		h.uptime = int64(*at.Uptime)
	}
	return event
}

func (h *History) isAnotherProcess(at Moment) bool {
	if at.Uptime == nil || *at.Uptime <= 0 || h.uptime <= 0 {
		return false
	}
	if int64(*at.Uptime) < h.uptime {
		return true
	}
	// The uptime has grown, but the process may have restarted all the same. After a gap that is longer than the last uptime, the new
	// process can have the longer uptime. A later start time and counters that have fallen show such a restart.
	if at.Timestamp-int64(*at.Uptime)-(h.timestamp-h.uptime) < clockSlack {
		return false
	}
	for name, value := range at.Vital {
		if before, known := h.counters[name]; known && value != nil && *value >= 0 && int64(*value) < before.value {
			return true
		}
	}
	return false
}

// change returns how much a counter has increased since it was last reported. `known` is false if the increase cannot be determined. `fell`
// is true if the counter decreased without a detected restart of its process.
func (h *History) change(name string, value int64, life Life) (change int64, known, fell bool) {
	before, reported := h.counters[name]
	h.counters[name] = remembered{value: value, process: h.process, round: h.round}
	switch {
	case life != OfHost && h.process > before.process:
		// The counter began at 0 when the process started, so its whole value is the increase.
		return value, true, false
	case !reported:
		return 0, false, false
	case value >= before.value:
		return value - before.value, true, false
	case life == Shrinking:
		return 0, false, false
	default:
		return value, true, true
	}
}

// End closes the event and returns its fields. They include `interval.ms` and `restarted`, except in the first event.
func (e *Event) End() common.MapStr {
	e.history.forget(e.reported)
	if !e.First {
		e.Put("interval.ms", e.Interval)
		e.Put("restarted", e.restarted)
	}
	return e.group.made()
}

// forget drops the state of counters that are no longer reported. Otherwise, a cluster that reports ever new names could fill the memory.
func (h *History) forget(reported int) {
	if len(h.counters) <= 2*reported+64 {
		return
	}
	flooded := len(h.counters) > 10*reported+1000
	for name, counter := range h.counters {
		if h.round-counter.round > forgetAfterRounds || flooded && counter.round != h.round {
			delete(h.counters, name)
		}
	}
}

// Section is a group of fields of an event. The group appears in the event with its first field.
type Section struct {
	group *group
	path  string
	event *Event
}

type group struct {
	fields common.MapStr
	name   string
	parent *group
}

func (g *group) made() common.MapStr {
	if g.fields == nil {
		parent := g.parent.made()
		// Another section may have created the group already.
		if there, ok := parent[g.name].(common.MapStr); ok {
			g.fields = there
		} else {
			g.fields = make(common.MapStr, 8)
			parent[g.name] = g.fields
		}
	}
	return g.fields
}

// In returns a group within the section.
func (s Section) In(name string) Section {
	return Section{group: &group{name: name, parent: s.group}, path: s.path + name + ".", event: s.event}
}

// Gauge sets a current value. It sets nothing if the value is not reported (nil), or is -1, which means "unknown" or "unlimited".
func (s Section) Gauge(name string, value *Value) {
	if value != nil && *value >= 0 {
		s.Put(name, int64(*value))
	}
}

// Share sets a percentage as a fraction of 1.
func (s Section) Share(name string, percent *Value) {
	if percent != nil && *percent >= 0 {
		s.Put(name, float64(*percent)/100)
	}
}

// Counter sets a total and its change, and returns the change. If the change is unknown, it returns 0 and false.
func (s Section) Counter(name string, value *Value, life Life) (change int64, known bool) {
	if value == nil || *value < 0 {
		return 0, false
	}
	change, known, fell := s.event.history.change(s.path+name, int64(*value), life)
	fields := s.at(name)
	fields["total"] = int64(*value)
	if known {
		fields["change"] = change
	}
	s.event.reported++
	s.event.restarted = s.event.restarted || fell
	return change, known
}

// Put sets a field. Dots in its name separate groups, as in Elasticsearch.
func (s Section) Put(name string, value any) {
	fields := s.group.made()
	if last := strings.LastIndexByte(name, '.'); last >= 0 {
		fields, name = s.at(name[:last]), name[last+1:]
	}
	fields[name] = value
}

// at returns the group of a name, which may contain dots.
func (s Section) at(name string) common.MapStr {
	fields := s.group.made()
	for nested := true; nested; {
		var first string
		first, name, nested = strings.Cut(name, ".")
		inner, ok := fields[first].(common.MapStr)
		if !ok {
			inner = make(common.MapStr, 2)
			fields[first] = inner
		}
		fields = inner
	}
	return fields
}
