package beater

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/beat"
	"github.com/elastic/beats/v7/libbeat/common"

	_ "dyno/collector/include"
)

// longestReading of one file of settings; a start that takes longer hangs for whoever waits for it.
const longestReading = 2 * time.Second

// longestRefusal is what a terminal or a log still shows as one sentence, in bytes beyond what was given.
const longestRefusal = 2000

// start reads settings as the start of dynobeat does, up to the first request.
func start(text []byte) error {
	whole, err := common.NewConfigWithYAML(text, "dynobeat.yml")
	if err != nil {
		return err
	}
	var settings struct {
		Dynobeat *common.Config         `config:"dynobeat"`
		Output   common.ConfigNamespace `config:"output"`
	}
	if err := whole.Unpack(&settings); err != nil {
		return err
	}
	if settings.Dynobeat == nil {
		settings.Dynobeat = common.NewConfig()
	}
	_, err = New(&beat.Beat{Config: &beat.BeatConfig{Output: settings.Output}, Publisher: nowhere{}}, settings.Dynobeat)
	return err
}

// nowhere is a pipeline that is connected to at the start and gets no event.
type nowhere struct{}

func (nowhere) Connect() (beat.Client, error)                      { return slow{}, nil }
func (nowhere) ConnectWith(beat.ClientConfig) (beat.Client, error) { return slow{}, nil }

// hostile settings, each with what its refusal names; none for what is accepted.
var hostile = []struct{ title, text, refusal string }{
	{"nothing", ``, "one or more modules must be configured"},
	{"no mapping", `[1, 2]`, "one or more modules must be configured"},
	{"no YAML", `dynobeat: {modules: [`, "yaml: line 1"},
	{"modules that are none", `dynobeat.modules: 5`, "dynobeat"},
	{"a module that is none", `dynobeat.modules: [x]`, ""},
	{"another module", `dynobeat.modules: [{module: system, metricsets: [cpu], hosts: [a]}]`, "system"},
	{"another metricset", `dynobeat.modules: [{module: dyno, metricsets: [x], hosts: [a]}]`, "x"},
	{"none enabled", `dynobeat.modules: [{module: dyno, enabled: false}]`, "disabled"},
	{"no host", `dynobeat.modules: [{module: dyno, metricsets: [node]}]`, "empty host"},
	{"an empty host", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: ['']}]`, "empty host"},
	{"a host that is no URL", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: ['http://[::1']}]`, "[::1"},
	{"two hosts for one cluster", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a, b]}]`, "scope: node"},
	{"a scope that is none", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a], scope: all}]`, "scope"},
	{"a period of nothing", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a], period: 0s}]`, "period"},
	{"a period that is none", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a], period: often}]`, "period"},
	{"a machine that is read without a pause", `dynobeat.modules: [{module: dyno, metricsets: [host], period: 0s}]`, "period"},
	{"facts of before", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a], facts_period: -1s}]`, "facts_period"},
	{"a timeout below nothing", `dynobeat: {modules: [{module: dyno, hosts: [a]}], shutdown_timeout: -1s}`, "shutdown_timeout"},
	{"a machine of several hosts", `dynobeat.modules: [{module: dyno, metricsets: [host], hosts: [a, b]}]`, "one machine"},
	{"disks that are no list", `dynobeat.modules: [{module: dyno, metricsets: [host], disks: [{a: {b: 1}}]}]`, "disks"},
	{"no hosts to ask", `dynobeat.modules: [{module: dyno, metricsets: [host], elasticsearch.hosts: 5}]`, ""},
	{"a certificate that is none", `dynobeat.modules: [{module: dyno, hosts: [a], ssl.certificate_authorities: ["-----BEGIN CERTIFICATE-----\nx\n"]}]`, "certificate"},
	{"an output that is none", "dynobeat.modules: [{module: dyno, hosts: [a]}]\noutput: 5", "output"},
	{"an output without hosts", "dynobeat.modules: [{module: dyno, hosts: [a]}]\noutput.elasticsearch: {hosts: []}", ""},
	{"a variable of itself", `dynobeat.modules: [{module: dyno, hosts: ['${dynobeat.modules.0.hosts.0}']}]`, ""},
	{"a variable that is not there", `dynobeat.modules: [{module: dyno, hosts: ['${NO_SUCH_VARIABLE_OF_DYNO}']}]`, "dynobeat.modules.0.hosts.0"},
	{"a key that is no text", `1: x`, "string key required"},
	{"an alias of aliases", `{a: &a [x, x], b: &b [*a, *a], c: &c [*b, *b], dynobeat.modules: *c}`, ""},
}

func TestHostileSettingsAreRefusedInASentence(t *testing.T) {
	for _, test := range hostile {
		t.Run(test.title, func(t *testing.T) {
			err := start([]byte(test.text))
			if test.refusal != "" {
				require.ErrorContains(t, err, test.refusal)
			}
			requireSentence(t, err, len(test.text))
		})
	}
}

// FuzzSettings: whatever a file of settings holds, it is refused in a sentence or accepted, soon. `npm run fuzz` runs it on.
func FuzzSettings(f *testing.F) {
	example, err := os.ReadFile("../dynobeat.yml")
	require.NoError(f, err)
	f.Add(example)
	f.Add([]byte(strings.ReplaceAll(string(example), "    #", "    ")))
	for _, test := range hostile {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		begun := time.Now()
		err := start(text)
		if took := time.Since(begun); took > longestReading {
			t.Fatalf("reading took %v", took)
		}
		requireSentence(t, err, len(text))
	})
}

func requireSentence(t *testing.T, err error, given int) {
	t.Helper()
	if err == nil {
		return
	}
	// What go-ucfg calls critical, a key that is no text, has its stack behind the sentence.
	said, _, _ := strings.Cut(err.Error(), "\nTrace:")
	if strings.TrimSpace(said) == "" || len(said) > longestRefusal+4*given {
		t.Fatalf("no sentence of %d bytes: %q", len(said), said[:min(len(said), longestRefusal)])
	}
}
