package beater

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/beat"
	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/logp"
	"github.com/elastic/beats/v7/libbeat/monitoring"
)

// slow is a client whose queue is temporarily full.
type slow struct{ wait time.Duration }

func (s slow) Publish(beat.Event)      { time.Sleep(s.wait) }
func (s slow) PublishAll([]beat.Event) {}
func (s slow) Close() error            { return nil }

func TestAFullQueueIsLogged(t *testing.T) {
	require.NoError(t, logp.DevelopmentSetup(logp.ToObserverOutput()))
	event := beat.Event{Fields: common.MapStr{"event": common.MapStr{"dataset": "dyno.node"}}}
	for _, test := range []struct {
		title  string
		wait   time.Duration
		logged int
	}{
		{"an event that is queued immediately", 0, 0},
		{"an event that waits for space", 300 * time.Millisecond, 1},
	} {
		t.Run(test.title, func(t *testing.T) {
			client := &warningClient{slow{test.wait}, logp.NewLogger("test"), 250 * time.Millisecond}
			client.Publish(event)
			logged := logp.ObserverLogs().FilterMessageSnippet("nothing was read for dyno.node").TakeAll()
			assert.Len(t, logged, test.logged)
		})
	}
}

func TestShutdownWaitsForEventsThatAreNotStored(t *testing.T) {
	require.NoError(t, logp.DevelopmentSetup(logp.ToObserverOutput()))
	events := monitoring.Default.NewRegistry("libbeat.pipeline.events")
	active := monitoring.NewUint(events, "active")
	monitoring.NewUint(events, "failed").Set(1)
	defer monitoring.Default.Remove("libbeat.pipeline.events")

	for _, test := range []struct {
		title   string
		timeout time.Duration
		stored  time.Duration
		logged  string
	}{
		{"until they are stored", time.Minute, 50 * time.Millisecond, "1 events were not stored"},
		{"up to the timeout", time.Millisecond, time.Minute, "3 events were not stored"},
	} {
		t.Run(test.title, func(t *testing.T) {
			active.Set(2)
			stored := time.AfterFunc(test.stored, func() { active.Set(0) })
			defer stored.Stop()
			finish(test.timeout, logp.NewLogger("test"))
			assert.Equal(t, 1, logp.ObserverLogs().FilterMessageSnippet(test.logged).Len())
			_ = logp.ObserverLogs().TakeAll()
		})
	}
}
