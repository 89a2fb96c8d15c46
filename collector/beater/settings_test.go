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

// longestReading is the maximum time for reading one settings file.
const longestReading = 2 * time.Second

// longestRefusal is the maximum length of an error in bytes, without the input that it quotes.
const longestRefusal = 2000

// start reads settings as dynobeat does when it starts, up to its first request.
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

// nowhere is a pipeline that receives no events.
type nowhere struct{}

func (nowhere) Connect() (beat.Client, error)                      { return slow{}, nil }
func (nowhere) ConnectWith(beat.ClientConfig) (beat.Client, error) { return slow{}, nil }

// hostile settings. Each has a part of the expected error; empty if the settings are accepted.
var hostile = []struct{ title, text, refusal string }{
	{"nothing", ``, "one or more modules must be configured"},
	{"no mapping", `[1, 2]`, "one or more modules must be configured"},
	{"no YAML", `dynobeat: {modules: [`, "yaml: line 1"},
	{"invalid modules", `dynobeat.modules: 5`, "dynobeat"},
	{"an invalid module", `dynobeat.modules: [x]`, ""},
	{"another module", `dynobeat.modules: [{module: system, metricsets: [cpu], hosts: [a]}]`, "system"},
	{"another metricset", `dynobeat.modules: [{module: dyno, metricsets: [x], hosts: [a]}]`, "x"},
	{"none enabled", `dynobeat.modules: [{module: dyno, enabled: false}]`, "disabled"},
	{"no host", `dynobeat.modules: [{module: dyno, metricsets: [node]}]`, "empty host"},
	{"an empty host", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: ['']}]`, "empty host"},
	{"a host that is no URL", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: ['http://[::1']}]`, "[::1"},
	{"two hosts for one cluster", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a, b]}]`, "scope: node"},
	{"an invalid scope", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a], scope: all}]`, "scope"},
	{"a period of 0", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a], period: 0s}]`, "period"},
	{"an invalid period", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a], period: often}]`, "period"},
	{"a period of 0 for a machine", `dynobeat.modules: [{module: dyno, metricsets: [host], period: 0s}]`, "period"},
	{"a negative period of facts", `dynobeat.modules: [{module: dyno, metricsets: [node], hosts: [a], facts_period: -1s}]`, "facts_period"},
	{"a negative timeout", `dynobeat: {modules: [{module: dyno, hosts: [a]}], shutdown_timeout: -1s}`, "shutdown_timeout"},
	{"a machine of several hosts", `dynobeat.modules: [{module: dyno, metricsets: [host], hosts: [a, b]}]`, "one machine"},
	{"an invalid list of disks", `dynobeat.modules: [{module: dyno, metricsets: [host], disks: [{a: {b: 1}}]}]`, "disks"},
	{"invalid hosts", `dynobeat.modules: [{module: dyno, metricsets: [host], elasticsearch.hosts: 5}]`, ""},
	{"an invalid certificate", `dynobeat.modules: [{module: dyno, hosts: [a], ssl.certificate_authorities: ["-----BEGIN CERTIFICATE-----\nx\n"]}]`, "certificate"},
	{"an invalid output", "dynobeat.modules: [{module: dyno, hosts: [a]}]\noutput: 5", "output"},
	{"an output without hosts", "dynobeat.modules: [{module: dyno, hosts: [a]}]\noutput.elasticsearch: {hosts: []}", ""},
	{"a variable that refers to itself", `dynobeat.modules: [{module: dyno, hosts: ['${dynobeat.modules.0.hosts.0}']}]`, ""},
	{"an undefined variable", `dynobeat.modules: [{module: dyno, hosts: ['${NO_SUCH_VARIABLE_OF_DYNO}']}]`, "dynobeat.modules.0.hosts.0"},
	{"a key that is not a text", `1: x`, "string key required"},
	{"an alias of aliases", `{a: &a [x, x], b: &b [*a, *a], c: &c [*b, *b], dynobeat.modules: *c}`, ""},
}

func TestHostileSettingsGiveShortErrors(t *testing.T) {
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

// FuzzSettings checks that every settings file is quickly accepted, or refused with a short error. `npm run fuzz` runs it for longer.
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
	// go-ucfg appends a stack trace to critical errors, for example if a key is not a text.
	message, _, _ := strings.Cut(err.Error(), "\nTrace:")
	if strings.TrimSpace(message) == "" || len(message) > longestRefusal+4*given {
		t.Fatalf("the error has %d bytes: %q", len(message), message[:min(len(message), longestRefusal)])
	}
}
