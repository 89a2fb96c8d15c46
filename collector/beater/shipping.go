package beater

import (
	"time"

	"github.com/elastic/beats/v7/libbeat/beat"
	"github.com/elastic/beats/v7/libbeat/logp"
	"github.com/elastic/beats/v7/libbeat/monitoring"
	"github.com/elastic/beats/v7/libbeat/publisher/pipetool"
)

// longWait is the shortest wait for space in the queue that is logged as a warning. While an event waits, its metricset reads nothing.
const longWait = 2 * time.Second

// warning wraps libbeat's pipeline. It logs a warning after an event waited at least longWait for space in the queue, because libbeat logs
// nothing about a full queue.
func warning(pipeline beat.PipelineConnector, log *logp.Logger) beat.PipelineConnector {
	return pipetool.WithClientWrapper(pipeline, func(client beat.Client) beat.Client { return &warningClient{client, log, longWait} })
}

type warningClient struct {
	beat.Client
	log      *logp.Logger
	longWait time.Duration
}

// Publish receives the events of metricsets one at a time.
func (t *warningClient) Publish(event beat.Event) {
	dataset, _ := event.Fields.GetValue("event.dataset")
	start := time.Now()
	t.Client.Publish(event)
	if waited := time.Since(start); waited >= t.longWait {
		t.log.Warnf("the queue was full for %.1f s (queue.mem.events): nothing was read for %v, and the next changes cover the gap",
			waited.Seconds(), dataset)
	}
}

// finish waits until events are stored, because libbeat's pipeline drops waiting events when it ends. It logs the number of lost events.
func finish(timeout time.Duration, log *logp.Logger) {
	for deadline := time.Now().Add(timeout); pipelineCount("active") > 0 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	// Events that are still waiting, and events for which there was no space in the queue (`failed`), are lost.
	if lost := pipelineCount("active") + pipelineCount("failed"); lost > 0 {
		log.Warnf("%d events were not stored before the end and are lost; dynobeat.shutdown_timeout is %v", lost, timeout)
	}
}

// pipelineCount returns one of libbeat's counters of the events in the pipeline.
func pipelineCount(name string) uint64 {
	if found, known := monitoring.Default.Get("libbeat.pipeline.events." + name).(*monitoring.Uint); known {
		return found.Get()
	}
	return 0
}
