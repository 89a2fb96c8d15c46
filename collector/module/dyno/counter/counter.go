// Package counter makes the figures of an event: gauges as they are, counters as their total and their change since the
// last event, whatever happened to the counter in between.
package counter

import (
	"strings"
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
)

// Life is what a counter begins anew with.
type Life int

const (
	// OfProcess: with the node's process.
	OfProcess Life = iota
	// OfHost: with the machine or the container.
	OfHost
	// Shrinking: it may fall without beginning anew, as a sum over the shards that are there now does when one is deleted
	// or moves away. By how much it grew meanwhile nobody can tell: such an event has no change of it.
	Shrinking
)

// History is what is remembered of one node or host between two events. The zero value has seen none.
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
	// forgetAfterRounds is when a counter that is not told any more may be forgotten.
	forgetAfterRounds = 100
	// clockSlack is how far uptime and clock of a node may drift apart, in ms, before it could be another process.
	clockSlack = 5000
)

// Moment is when the figures of an event were true.
type Moment struct {
	// Timestamp is in ms since the epoch by the clock of what is measured.
	Timestamp int64
	// Now is the collector's own clock.
	Now time.Time
	// Uptime of the process in ms; nil where it is not told.
	Uptime *Figure
	// Vital are counters of the process, to tell a restart from a clock that was set.
	Vital map[string]*Figure
}

// Event collects the figures of one event.
type Event struct {
	Section
	// First has no changes.
	First bool
	// Interval since the last event in ms; 0 in the first.
	Interval int64

	history   *History
	told      int
	restarted bool
}

// Seen is when the last event was made, by the collector's clock.
func (h *History) Seen() time.Time { return h.seen }

// Begin opens the next event.
func (h *History) Begin(at Moment) *Event {
	event := &Event{First: h.round == 0, history: h}
	event.Section = Section{group: &group{fields: make(common.MapStr, 32)}, event: event}
	if event.First {
		h.counters = make(map[string]remembered, 256)
	} else {
		event.Interval = at.Timestamp - h.timestamp
		// A clock that was set back, or stands.
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
	// Out of sight for longer than it was up before: then its start has moved, and its counters have fallen.
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

// change returns how much a counter grew since it was last told; `known` is false where nobody can tell, `fell` true
// where it fell although its process went on.
func (h *History) change(name string, value int64, life Life) (change int64, known, fell bool) {
	before, told := h.counters[name]
	h.counters[name] = remembered{value: value, process: h.process, round: h.round}
	switch {
	case life != OfHost && h.process > before.process:
		// The first time that this process tells it, and we saw it begin.
		return value, true, false
	case !told:
		return 0, false, false
	case value >= before.value:
		return value - before.value, true, false
	case life == Shrinking:
		return 0, false, false
	default:
		return value, true, true
	}
}

// End closes the event and returns its fields, with `interval.ms` and `restarted` unless it is the first.
func (e *Event) End() common.MapStr {
	e.history.forget(e.told)
	if !e.First {
		e.Put("interval.ms", e.Interval)
		e.Put("restarted", e.restarted)
	}
	return e.group.made()
}

// forget drops what is not told any more, so that names that come and go cannot fill the memory.
func (h *History) forget(told int) {
	if len(h.counters) <= 2*told+64 {
		return
	}
	flooded := len(h.counters) > 10*told+1000
	for name, counter := range h.counters {
		if h.round-counter.round > forgetAfterRounds || flooded && counter.round != h.round {
			delete(h.counters, name)
		}
	}
}

// Section is a group of fields of an event. It comes into being with the first field.
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
		// Another section may have made it.
		if there, ok := parent[g.name].(common.MapStr); ok {
			g.fields = there
		} else {
			g.fields = make(common.MapStr, 8)
			parent[g.name] = g.fields
		}
	}
	return g.fields
}

// In is a group inside of the section.
func (s Section) In(name string) Section {
	return Section{group: &group{name: name, parent: s.group}, path: s.path + name + ".", event: s.event}
}

// Gauge puts a figure of this moment; none where none is told (nil, or -1 for "not known" and "no bound").
func (s Section) Gauge(name string, value *Figure) {
	if value != nil && *value >= 0 {
		s.Put(name, int64(*value))
	}
}

// Share puts a percentage as a fraction of 1.
func (s Section) Share(name string, percent *Figure) {
	if percent != nil && *percent >= 0 {
		s.Put(name, float64(*percent)/100)
	}
}

// Counter puts a total and its change, which it returns too; 0 where it is not known.
func (s Section) Counter(name string, value *Figure, life Life) (change int64, known bool) {
	if value == nil || *value < 0 {
		return 0, false
	}
	change, known, fell := s.event.history.change(s.path+name, int64(*value), life)
	fields := s.at(name)
	fields["total"] = int64(*value)
	if known {
		fields["change"] = change
	}
	s.event.told++
	s.event.restarted = s.event.restarted || fell
	return change, known
}

// Put sets a field; dots in its name are groups, as in Elasticsearch.
func (s Section) Put(name string, value any) {
	fields := s.group.made()
	if last := strings.LastIndexByte(name, '.'); last >= 0 {
		fields, name = s.at(name[:last]), name[last+1:]
	}
	fields[name] = value
}

// at is the group of a name, which may have dots.
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
