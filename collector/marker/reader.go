package marker

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
	"github.com/elastic/beats/v7/libbeat/logp"
)

// Index is the index that contains one marker per cluster. The id of a marker is the cluster's uuid.
const Index = "dyno-markers"

const (
	// timeout of a read of the marker. A metricset waits for the read before it reports the events of a period.
	timeout = time.Second
	// patience is the length of the pause after a failed read, as a multiple of the time that the read took.
	patience   = 10
	longestGap = time.Minute
)

// Reader reads markers from the results cluster. It is safe for concurrent use.
type Reader struct {
	mutex    sync.Mutex
	clients  []eslegclient.Connection
	log      *logp.Logger
	away     bool
	notUntil time.Time
}

var (
	sharedMutex sync.Mutex
	shared      *Reader
)

// Configure sets the reader that Shared returns. It uses the section `dynobeat.marker`, which contains `enabled` and the same settings as
// the Elasticsearch output. If this section contains no hosts, it uses the settings of the output.
func Configure(section *common.Config, output common.ConfigNamespace) error {
	reader, err := newReader(section, output)
	if err != nil {
		return err
	}
	sharedMutex.Lock()
	defer sharedMutex.Unlock()
	shared = reader
	return nil
}

// Shared returns the reader of this process. It may be nil; a nil reader reads nothing.
func Shared() *Reader {
	sharedMutex.Lock()
	defer sharedMutex.Unlock()
	return shared
}

func newReader(section *common.Config, output common.ConfigNamespace) (*Reader, error) {
	log := logp.NewLogger("marker")
	settings := section
	if section == nil || !section.HasField("hosts") {
		if section != nil && !section.Enabled() {
			return nil, nil
		}
		if output.Name() != "elasticsearch" && output.Name() != "opensearch" {
			log.Infof("the output is neither Elasticsearch nor OpenSearch and dynobeat.marker.hosts is not set: events will not contain the trial")
			return nil, nil
		}
		settings = output.Config()
	}
	if !settings.Enabled() {
		return nil, nil
	}
	own := common.MapStr{"timeout": timeout.String()}
	settings, err := common.MergeConfigs(settings, common.MustNewConfigFrom(own))
	if err != nil {
		return nil, fmt.Errorf("setting the timeout: %w", err)
	}
	clients, err := eslegclient.NewClients(settings, "dynobeat")
	if err != nil {
		return nil, err
	}
	return &Reader{clients: clients, log: log}, nil
}

// Read fetches the marker of a cluster. It returns nil if the marker does not exist or cannot be read. It logs the first failure, and the
// first success after a failure.
func (r *Reader) Read(cluster string) *Document {
	if r == nil || cluster == "" {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	start := time.Now()
	if start.Before(r.notUntil) {
		return nil
	}
	document, err := r.fetch(cluster)
	switch {
	case err != nil:
		r.notUntil = time.Now().Add(min(patience*time.Since(start), longestGap))
		if !r.away {
			r.log.Warnf("cannot read the marker of cluster %s: events do not contain the trial until it can be read: %v", cluster, err)
		}
		r.away = true
	case r.away:
		r.log.Infof("the marker of cluster %s can be read again", cluster)
		r.away = false
	}
	return document
}

// fetch tries one host after the other. It starts with the host that answered last.
func (r *Reader) fetch(cluster string) (*Document, error) {
	var errs []error
	for i := range r.clients {
		client := &r.clients[i]
		status, answer, err := client.Request(http.MethodGet, "/"+Index+"/_doc/"+url.PathEscape(cluster), "", nil, nil)
		if status == http.StatusNotFound {
			return nil, nil
		}
		if err == nil {
			var document *Document
			if document, err = parse(answer); err == nil {
				r.clients[0], r.clients[i] = r.clients[i], r.clients[0]
				return document, nil
			}
		}
		errs = append(errs, fmt.Errorf("%s: %w", client.URL, err))
	}
	return nil, errors.Join(errs...)
}
