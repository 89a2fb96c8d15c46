package counter

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/common"
)

func ptr(v int64) *Value { value := Value(v); return &value }

// step is one response of a node: its clock and uptime in s, and a counter. It also contains the expected values of the event.
type step struct {
	clock, uptime, value int64
	missing              bool
	change               any // nil: no change
	restarted            any
}

func TestChanges(t *testing.T) {
	for _, test := range []struct {
		title string
		life  Life
		steps []step
	}{
		{"the first event has no change", OfProcess, []step{{clock: 100, uptime: 10, value: 7}}},
		{"grows", OfProcess, []step{
			{clock: 100, uptime: 10, value: 7},
			{clock: 101, uptime: 11, value: 9, change: 2, restarted: false},
			{clock: 102, uptime: 12, value: 9, change: 0, restarted: false},
		}},
		{"a restart yields the new value", OfProcess, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 130, uptime: 5, value: 4, change: 4, restarted: true},
			{clock: 131, uptime: 6, value: 5, change: 1, restarted: false},
		}},
		{"a restart yields the new value, even if it exceeds the old one", OfProcess, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 130, uptime: 20, value: 90, change: 90, restarted: true},
		}},
		{"a restart during a gap longer than the node was up", OfProcess, []step{
			{clock: 100, uptime: 5, value: 70},
			{clock: 200, uptime: 20, value: 30, change: 30, restarted: true},
		}},
		{"a counter of the host continues across a restart", OfHost, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 130, uptime: 5, value: 75, change: 5, restarted: true},
		}},
		{"a counter that falls without a restart starts from 0 again", OfHost, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 101, uptime: 51, value: 3, change: 3, restarted: true},
		}},
		{"a falling sum over shards has no change and is not a restart", Shrinking, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 101, uptime: 51, value: 30, restarted: false},
			{clock: 102, uptime: 52, value: 33, change: 3, restarted: false},
		}},
		{"the next event covers a gap", OfProcess, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 101, uptime: 51, missing: true, restarted: false},
			{clock: 102, uptime: 52, value: 75, change: 5, restarted: false},
		}},
		{"a counter that is missing across a restart is not subtracted from the old process", OfProcess, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 130, uptime: 5, missing: true, restarted: true},
			{clock: 131, uptime: 6, value: 80, change: 80, restarted: false},
		}},
		{"a clock that is set forward is not a restart", OfProcess, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 10000, uptime: 51, value: 71, change: 1, restarted: false},
		}},
		{"a clock that is set back is not a restart", OfProcess, []step{
			{clock: 100, uptime: 50, value: 70},
			{clock: 10, uptime: 51, value: 71, change: 1, restarted: false},
		}},
	} {
		t.Run(test.title, func(t *testing.T) {
			var history History
			now := time.Now()
			for i, step := range test.steps {
				value := ptr(step.value)
				if step.missing {
					value = nil
				}
				event := history.Begin(Moment{
					Timestamp: step.clock * 1000, Uptime: ptr(step.uptime * 1000),
					Now: now.Add(time.Duration(i) * time.Second), Vital: map[string]*Value{"group.count": value},
				})
				event.In("group").Counter("count", value, test.life)
				event.In("empty")
				fields := event.End()
				assert.NotContains(t, fields, "empty")
				assertField(t, fields, "group.count.change", step.change, i)
				assertField(t, fields, "restarted", step.restarted, i)
				if i == 0 {
					assert.NotContains(t, fields, "interval")
				} else {
					interval, err := fields.GetValue("interval.ms")
					require.NoError(t, err)
					assert.Positive(t, interval)
				}
			}
		})
	}
}

func assertField(t *testing.T, fields common.MapStr, name string, want any, step int) {
	t.Helper()
	found, err := fields.GetValue(name)
	if want == nil {
		assert.Error(t, err, "step %d: %s", step, name)
		return
	}
	assert.EqualValues(t, want, found, "step %d: %s", step, name)
}

func TestGaugesOmitUnknownValues(t *testing.T) {
	var history History
	event := history.Begin(Moment{Timestamp: 1, Now: time.Now()})
	event.Gauge("none", nil)
	event.Gauge("unbounded", ptr(-1))
	event.Gauge("a.b", ptr(0))
	event.Share("a.pct", ptr(50))
	assert.Equal(t, common.MapStr{"a": common.MapStr{"b": int64(0), "pct": 0.5}}, event.End())
}

func TestChangingNamesDoNotFillTheMemory(t *testing.T) {
	var history History
	for round := range 10_000 {
		event := history.Begin(Moment{Timestamp: int64(round), Now: time.Now()})
		for i := range 60 {
			event.Counter(fmt.Sprintf("c%d-%d", round, i), ptr(1), OfProcess)
		}
		event.End()
	}
	assert.Less(t, len(history.counters), 5000)
}

func TestFieldName(t *testing.T) {
	for name, want := range map[string]string{
		"young": "young", "G1 Concurrent GC": "g1_concurrent_gc", "ZGC Major Pauses": "zgc_major_pauses",
		"CodeHeap 'non-nmethods'": "codeheap_non-nmethods", "dm-0": "dm-0", "a.b*c": "a_b_c", "  ": "", "\x00é": "",
	} {
		assert.Equal(t, want, FieldName(name), name)
	}
}

func TestEachNamedIsBounded(t *testing.T) {
	names := map[string]int{}
	for i := range 1000 {
		names[fmt.Sprint("n", i)] = i
	}
	calls := 0
	EachNamed(names, func(string, int) { calls++ })
	assert.Equal(t, MostNames, calls)
}
