package beater

import (
	"time"

	"github.com/elastic/beats/v7/libbeat/beat"
	"github.com/elastic/beats/v7/libbeat/logp"
	"github.com/elastic/beats/v7/libbeat/monitoring"
	"github.com/elastic/beats/v7/libbeat/publisher/pipetool"
)

// longWait for a place in the queue is said: while it lasts nothing is read.
const longWait = 2 * time.Second

// telling is libbeat's pipeline, which says nothing while its queue is full: here it does afterwards.
func telling(pipeline beat.PipelineConnector, log *logp.Logger) beat.PipelineConnector {
	return pipetool.WithClientWrapper(pipeline, func(client beat.Client) beat.Client { return &tellingClient{client, log, longWait} })
}

type tellingClient struct {
	beat.Client
	log      *logp.Logger
	longWait time.Duration
}

// Publish is what metricsets' events come by, one by one.
func (t *tellingClient) Publish(event beat.Event) {
	dataset, _ := event.Fields.GetValue("event.dataset")
	start := time.Now()
	t.Client.Publish(event)
	if waited := time.Since(start); waited >= t.longWait {
		t.log.Warnf("the queue was full for %.1f s (queue.mem.events): nothing was read for %v meanwhile, the next changes span the gap",
			waited.Seconds(), dataset)
	}
}

// finish waits for the events that are not stored yet, which libbeat's pipeline forgets when it ends, and says how many
// it had to give up.
func finish(timeout time.Duration, log *logp.Logger) {
	for deadline := time.Now().Add(timeout); figure("active") > 0 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	// Failed are those that found no place in the queue.
	if lost := figure("active") + figure("failed"); lost > 0 {
		log.Warnf("%d events were not stored before the end and are lost; dynobeat.shutdown_timeout is %v", lost, timeout)
	}
}

// figure of the events in the pipeline, as libbeat counts them.
func figure(name string) uint64 {
	if found, known := monitoring.Default.Get("libbeat.pipeline.events." + name).(*monitoring.Uint); known {
		return found.Get()
	}
	return 0
}
