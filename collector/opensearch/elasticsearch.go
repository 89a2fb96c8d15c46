package opensearch

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
	"github.com/elastic/beats/v7/libbeat/outputs/elasticsearch"
)

func init() {
	// libbeat's own check refuses OpenSearch too, because it finds no license, but its message does not help. libbeat runs both checks in
	// random order at each attempt to connect, so the log has this message after a few attempts. The error is for lack of random numbers.
	_, _ = elasticsearch.RegisterGlobalCallback(refuse)
}

// refuse returns an error if the Elasticsearch output has connected to OpenSearch.
func refuse(connection *eslegclient.Connection) error {
	var root struct {
		Version struct{ Number, Distribution string }
	}
	_, body, err := connection.Request(http.MethodGet, "/", "", nil, nil)
	if err != nil || json.Unmarshal(body, &root) != nil || root.Version.Distribution != Name {
		return nil // the output itself reports what is wrong with a connection
	}
	return fmt.Errorf("this is OpenSearch %s: rename output.elasticsearch to output.%s, with the same settings", root.Version.Number, Name)
}
