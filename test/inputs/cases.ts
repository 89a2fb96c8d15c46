/**
 * Inputs that users sent or that are typical, and the correct outcome of each. Each case runs the real command on copies of the files in
 * `files/`, in a separate folder. README.md explains how to add a case.
 */

/** Requests to the cluster before the command: method, path, body. */
export type Preparation = readonly [method: 'PUT' | 'POST', path: string, body?: object];

export interface InputCase {
  /** Name of the test: a sentence about what the command does. */
  name: string;
  /** The files or folders in `files/` that the case is about. */
  files: readonly string[];
  /** Arguments of `dyno`. For `run`, the target, the cluster for results and `--no-collector` are added. */
  command: readonly string[];
  /** Environment variables, such as `TZ`. */
  env?: Readonly<Record<string, string>>;
  /** A proxy in front of the cluster, with its modes. It is the target of the run. */
  proxy?: readonly [tool: 'odd' | 'wire', ...modes: string[]];
  /** Path below the proxy, such as `/es/a`. */
  path?: string;
  /** True if the target has both the cluster and the proxy as hosts. */
  besideCluster?: boolean;
  before?: readonly Preparation[];
  expect: {
    exitCode: number | 'not 0' | 'any';
    /** Patterns that the command's output must match. For these, the whitespace of the output is replaced by single spaces. */
    says?: readonly RegExp[];
    /** Patterns that the command's output must not match, neither with nor without whitespace. */
    never?: readonly RegExp[];
    /** Patterns for the log of the wire proxy, whose lines are `METHOD PATH BODY`. */
    wire?: { has: readonly RegExp[]; never?: readonly RegExp[] };
    /** Patterns that the whole text of a file or folder must match, which the command wrote. */
    wrote?: { path: string; has: readonly RegExp[]; never?: readonly RegExp[] };
  };
}

const set = (...settings: string[]): string[] => settings.flatMap((setting) => ['--set', setting]);

/** Creates the pipeline that definitions name. It is empty, and the proxy drops documents instead. */
const DROPPER: Preparation = ['PUT', '/_ingest/pipeline/dropper', { processors: [] }];

/** Matches control characters, which must never reach the terminal from a file. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York'] as const;

/** Matches trace ids in the inputs that JavaScript numbers cannot represent exactly. */
const BIG = /9007199254740993/;
const ROUNDED = /9007199254740992|1026314602185332700|1026314602185332800|9223372036854776000/;

const EXACT: readonly InputCase[] = [
  {
    name: 'a replay sends ids above 2^53 exactly as in the log',
    files: ['replay-big-ids.yml', 'searches-big-ids.ndjson'],
    command: ['run', 'replay-big-ids.yml', ...set('spread=given-hosts')],
    proxy: ['wire'],
    expect: {
      exitCode: 0,
      wire: {
        has: [/\[9007199254740993,1026314602185332762,-9223372036854775808\]/, /"min_score":0\.1/],
        never: [ROUNDED],
      },
    },
  },
  {
    name: 'numbers of a definition and of parameter files are sent as written',
    files: ['big-ids-in-definition.yml', 'big-ids-params.csv', 'big-ids-params.ndjson'],
    command: ['run', 'big-ids-in-definition.yml', ...set('measure.duration=3s')],
    proxy: ['wire'],
    expect: {
      exitCode: 0,
      wire: {
        has: [
          /_search\S* .*"trace": ?9007199254740993/,
          /_search\S* .*"trace": ?1026314602185332762/,
          /_mget\S* .*9007199254740993/,
          // A value that is a string stays a string.
          /"trace": ?"9007199254740993"/,
        ],
        never: [ROUNDED],
      },
    },
  },
  {
    name: 'floats of script parameters stay floats',
    files: ['script-params-float.yml'],
    // The embedded Elasticsearch has no Painless and refuses the search. This does not matter: the test looks only at the request.
    command: ['run', 'script-params-float.yml'],
    proxy: ['wire'],
    expect: { exitCode: 'any', wire: { has: [/"a": ?1\.0, ?"b": ?2\.0/], never: [/"a": ?1,/] } },
  },
  {
    name: 'an import keeps the numbers of the track unchanged',
    files: ['rally-bigint'],
    command: ['import', 'rally', 'rally-bigint', '--to', 'out'],
    expect: {
      exitCode: 0,
      wrote: { path: 'out', has: [BIG, /gte: 1\.0|"gte": ?1\.0/, /1e3/], never: [ROUNDED] },
    },
  },
];

const BULKS: readonly InputCase[] = [
  {
    name: 'documents that a pipeline drops are not counted as accepted, and the threshold fails',
    files: ['pipeline-drops-with-ids-gate-passes.yml'],
    command: ['run', 'pipeline-drops-with-ids-gate-passes.yml', ...set('spread=given-hosts')],
    proxy: ['odd', 'noop=10'],
    before: [DROPPER],
    expect: { exitCode: 1, says: [/dropped/, /not held/], never: [/All 2,000 documents were accepted/] },
  },
  {
    name: 'documents that a pipeline drops are also counted as dropped without ids',
    files: ['ingest-pipeline-drops.yml'],
    command: ['run', 'ingest-pipeline-drops.yml', ...set('spread=given-hosts')],
    proxy: ['odd', 'noop=10'],
    before: [DROPPER],
    expect: {
      exitCode: 0,
      says: [/dropped/],
      never: [/All 2,000 documents were accepted/, /documents missing/],
    },
  },
  {
    name: 'documents in a failure store are counted as redirected',
    files: ['ingest-odd-answers.yml'],
    command: ['run', 'ingest-odd-answers.yml', ...set('spread=given-hosts')],
    proxy: ['odd', 'failure-store=10'],
    expect: { exitCode: 0, says: [/redirected/], never: [/All 5,000 documents were accepted/] },
  },
  {
    name: 'bulks above http.max_content_length are reported before the run',
    files: ['ingest-110mb.yml'],
    command: ['run', 'ingest-110mb.yml', ...set('measure.warmup=0s', 'measure.duration=2s')],
    expect: { exitCode: 'any', says: [/http\.max_content_length/, /100 ?mb/i, /bulk\.(bytes|docs)/] },
  },
  {
    name: 'bulks that are answered with 413 fail with this reason, and the report says what to lower',
    files: ['ingest-too-large.yml'],
    command: [
      'run',
      'ingest-too-large.yml',
      ...set('spread=given-hosts', 'measure.warmup=0s', 'measure.duration=2s'),
      '--report',
      'out.md',
    ],
    proxy: ['odd', 'limit=4000000'],
    expect: {
      exitCode: 'any',
      never: [/no node of the target accepted a connection/, /EPIPE/],
      wrote: { path: 'out.md', has: [/413: .*http\.max\\?_content\\?_length/, /lower bulk\.(bytes|docs)/] },
    },
  },
  {
    name: 'each of four reasons for rejected documents is shown once',
    files: ['ingest-dots.yml', 'documents-dots.ndjson'],
    command: ['run', 'ingest-dots.yml', '--report', 'out.md'],
    expect: {
      exitCode: 'any',
      wrote: { path: 'out.md', has: [/(document\\?_parsing\\?_exception \|[\s\S]*){4}/] },
    },
  },
];

const KINDS_OF_FILES: readonly InputCase[] = [
  {
    name: 'hits that were exported from a slow log are read as a slow log',
    files: ['slow-exported-hits.ndjson'],
    command: ['inspect', 'slow-exported-hits.ndjson'],
    expect: { exitCode: 0, says: [/slow.?log/, /5 would be sent/, /2026-10-05T08:00/] },
  },
  {
    name: 'a replay of exported hits sends the searches in them',
    files: ['replay-exported-hits.yml', 'slow-exported-hits.ndjson'],
    command: ['run', 'replay-exported-hits.yml', ...set('spread=given-hosts')],
    proxy: ['wire'],
    expect: {
      exitCode: 0,
      wire: {
        has: [/_search\S* +\{"query":\{"term":\{"trace":9007199254740993\}\},"size":0\}/],
        never: [/_search\S* .*_source/],
      },
    },
  },
  {
    name: 'documents with a field `size` are not searches',
    files: ['documents-with-a-field-size.ndjson'],
    command: ['inspect', 'documents-with-a-field-size.ndjson'],
    expect: { exitCode: 'any', says: [/document/], never: [/2 would be sent/] },
  },
  {
    name: 'a file of bulks is refused as documents, with the command that strips it',
    files: ['ingest-actions.yml', 'actions'],
    command: ['run', 'ingest-actions.yml'],
    expect: { exitCode: 2, says: [/action|bulk/, /awk|jq|grep|sed/], never: [/documents were accepted/] },
  },
  {
    name: 'a profile cannot be learned from a file of bulks',
    files: ['actions'],
    command: ['learn', 'actions/bulk.ndjson', '--to', 'out.json'],
    expect: { exitCode: 2, says: [/action|bulk/, /awk|jq|grep|sed/] },
  },
  {
    name: 'the import of a track whose corpus has action lines says how to strip them',
    files: ['actions'],
    command: ['import', 'rally', 'actions', '--to', 'out'],
    expect: { exitCode: 0, says: [/Not carried over/, /lines? of actions|action lines?/, /awk|jq|grep|sed/] },
  },
  {
    name: 'a profile cannot be learned from exported hits',
    files: ['hits-120.ndjson'],
    command: ['learn', 'hits-120.ndjson', '--to', 'out.json'],
    expect: { exitCode: 2, says: [/hits/, /_source/] },
  },
  {
    name: 'an error instead of a query in a slow log counts as malformed (JSON)',
    files: ['slow-7.17-ranges.json.log'],
    command: ['inspect', 'slow-7.17-ranges.json.log'],
    expect: { exitCode: 0, says: [/0 would be sent/, /line 5 /], never: [/1 would be sent/] },
  },
  {
    name: 'an error instead of a query in a slow log counts as malformed (text)',
    files: ['slow-text-odd.log'],
    command: ['inspect', 'slow-text-odd.log'],
    expect: { exitCode: 0, says: [/slow-log-text/, /line 2 /], never: [/no format that Dyno knows/] },
  },
  ...['slow-docker-json-file.log', 'slow-cri.log'].map((file): InputCase => ({
    name: `the format of a container's log is removed: ${file}`,
    files: [file],
    command: ['inspect', file],
    expect: { exitCode: 0, says: [/slow.?log/, /5 would be sent/, /2026-10-05T08:00:0/] },
  })),
  {
    name: 'a search of several indices in a slow log is one search',
    files: ['slow-several-indices.log'],
    command: ['inspect', 'slow-several-indices.log'],
    expect: {
      exitCode: 0,
      says: [/3 would be sent/, /5 of other shards, indices/],
      never: [/left out, because/],
    },
  },
  {
    name: 'searches that OpenSearch logged by request and by shard are read once',
    files: ['slow-opensearch-both.log'],
    command: ['inspect', 'slow-opensearch-both.log'],
    expect: { exitCode: 0, says: [/2 would be sent/, /POST \/shop\/_search 2 100%/] },
  },
  {
    name: 'the query log of Elasticsearch 9.4 is read as one search per entry',
    files: ['query-log-9.4.json'],
    command: ['inspect', 'query-log-9.4.json'],
    expect: { exitCode: 0, says: [/2 would be sent, 1 of other types/, /POST \/logs-\*\/_search/] },
  },
  {
    name: 'a HAR of Kibana has the status of the cluster, and searches of Kibana are left out',
    files: ['har-kibana.har'],
    command: ['inspect', 'har-kibana.har'],
    expect: {
      exitCode: 0,
      says: [/1 search of Kibana left out/, /index_not_found_exception/, /GET \/gone\/_search/],
    },
  },
  {
    name: 'everything that a HAR lacks is reported',
    files: ['har-odd.har'],
    command: ['inspect', 'har-odd.har'],
    expect: {
      exitCode: 0,
      says: [
        /1 request left out, because the cache of the browser answered/,
        /1 answer without a duration/,
        /2 requests read without the path of a proxy in front of the cluster \(proxy\/es\)/,
        /3 requests to further hosts, read as requests to the same cluster/,
        /1 request left out, because their bodies are cut off/,
        /1 request left out, because the file does not contain their bodies/,
        /\b5 requests from 2026-11-20 10:00 UTC/,
        /GET \/shop\/_doc\/\{id\}/,
      ],
      never: [/\/es\/shop/],
    },
  },
  {
    name: 'pipelined requests of GoReplay are read one by one, and times in µs are recognised',
    files: ['gor-pipelined-us.gor'],
    command: ['inspect', 'gor-pipelined-us.gor'],
    expect: {
      exitCode: 0,
      says: [/4 requests from 2026-11-20 10:00 UTC, 2s/, /get read 2/, /search read 2/],
    },
  },
  {
    name: 'a file of GoReplay with converted line feeds does not lose the end of a bulk silently',
    files: ['gor-crlf.gor'],
    command: ['inspect', 'gor-crlf.gor'],
    expect: { exitCode: 0, says: [/1 entry malformed \(payload 1: its body is longer/, /1 request from/] },
  },
  {
    name: 'messages instead of bodies in an audit log are not bodies',
    files: ['audit-odd.json'],
    command: ['inspect', 'audit-odd.json'],
    expect: {
      exitCode: 0,
      says: [
        /3 requests from/,
        /1 request left out, because the file does not contain their bodies \(POST \/_bulk: Request body had not/,
        /1 request left out, because their bodies are cut off/,
        /2001:db8::7/,
      ],
    },
  },
  {
    name: 'the access log of a load balancer is refused with what to do instead',
    files: ['access-alb.log'],
    command: ['inspect', 'access-alb.log'],
    expect: { exitCode: 2, says: [/access log .* no bodies of requests/, /dyno record/] },
  },
  {
    name: 'a script with curl commands is refused with what to do instead',
    files: ['searches.curl'],
    command: ['inspect', 'searches.curl'],
    expect: { exitCode: 2, says: [/curl commands/, /dyno record/] },
  },
  {
    name: 'lines of an access log with users, containers and absent clients are parsed',
    files: ['parse-odd-access.yml', 'access-odd.log'],
    command: ['run', 'parse-odd-access.yml', ...set('measure.documents=20')],
    expect: { exitCode: 0, says: [/Lines of ingest/], never: [/line (10|11|13|18|19) no-match/] },
  },
  {
    name: 'escape sequences of a file never reach the terminal (inspect)',
    files: ['escape-sequences.ndjson'],
    command: ['inspect', 'escape-sequences.ndjson'],
    expect: { exitCode: 2, says: [/escape-sequences\.ndjson/], never: [CONTROL] },
  },
  {
    name: 'escape sequences of a file never reach the terminal (learn)',
    files: ['escape-sequences.ndjson'],
    command: ['learn', 'escape-sequences.ndjson', '--to', 'out.json'],
    expect: { exitCode: 2, says: [/escape-sequences\.ndjson/, /line 2|ndjson:2/], never: [CONTROL] },
  },
];

const IMPORTS: readonly InputCase[] = [
  {
    name: 'completed-by ends the element instead of running for hours',
    files: ['completed-by'],
    command: ['import', 'rally', 'completed-by', '--to', 'out'],
    expect: {
      exitCode: 0,
      says: [/completed-by/],
      wrote: { path: 'out', has: [/duration: ['"]?10s/] },
    },
  },
  {
    name: 'a ramp-up beyond the warm-up is refused, as in Rally',
    files: ['ramp-longer'],
    command: ['import', 'rally', 'ramp-longer', '--to', 'out'],
    expect: { exitCode: 2, says: [/ramp-up/, /warm-?up/] },
  },
  {
    name: '`on-conflict: update` does not turn every write into an update',
    files: ['rally-on-conflict-update'],
    command: ['import', 'rally', 'rally-on-conflict-update', '--to', 'out'],
    expect: {
      exitCode: 0,
      wrote: { path: 'out', has: [/index: 80\b/, /update: 20\b/], never: [/actions:\s+update: 1\s/] },
    },
  },
  {
    name: 'every unused key is listed under Not carried over, including misspelt ones',
    files: ['rally-unknown-keys'],
    command: ['import', 'rally', 'rally-unknown-keys', '--to', 'out'],
    expect: {
      exitCode: 0,
      says: [
        /Not carried over/,
        ...[
          'frobnicate',
          'completed-bye',
          'warm-up-time-period',
          'time_period',
          'unknown-of-bulk',
          'offset-of-nothing',
        ].map((key) => new RegExp(key)),
        /unknown-of-parallel/,
      ],
    },
  },
  {
    name: 'a ramp-down of OpenSearch Benchmark is listed with its original name',
    files: ['osb-ramp-down'],
    command: ['import', 'osb', 'osb-ramp-down', '--to', 'out'],
    expect: {
      exitCode: 0,
      says: [/ramp-down-time-period/, /OpenSearch Benchmark|OSB/],
      never: [/Rally carries|Rally’s|Rally's/],
    },
  },
  {
    name: 'the error for a variable in kebab case suggests the underscore',
    files: ['kebab'],
    command: ['import', 'rally', 'kebab', '--to', 'out'],
    expect: { exitCode: 2, says: [/track\.json/, /line 5|json:5/, /index_mode/] },
  },
  {
    name: 'a comma that is missing only with one parameter is reported with its line',
    files: ['comma'],
    command: ['import', 'rally', 'comma', '--to', 'out', '--set', 'mode=standard'],
    expect: { exitCode: 2, says: [/track\.json/, /line \d+|json:\d+/] },
  },
  {
    name: 'the same track without that parameter can be imported',
    files: ['comma'],
    command: ['import', 'rally', 'comma', '--to', 'out'],
    expect: { exitCode: 0, says: [/names no index/] },
  },
];

const PHASES: readonly InputCase[] = [
  {
    name: 'the plan counts the documents of a file and reports that they end in the warm-up',
    files: ['ends-in-warm-up.yml'],
    command: ['plan', 'ends-in-warm-up.yml'],
    expect: {
      exitCode: 0,
      says: [
        /docs-per-second\/lines\.json contains 2,000 documents/,
        /the file ends before the measured phase/,
      ],
    },
  },
  ...['ends-in-warm-up.yml', 'ends-in-warm-up-error-rate-only.yml'].map((file): InputCase => ({
    name: `thresholds fail if the file ends in the warm-up: ${file}`,
    files: [file],
    command: ['run', file, '--report', 'out.xml'],
    expect: {
      exitCode: 1,
      says: [
        /The file of ingest ended in the warm-up/,
        /ingest\.error_rate < 1% no data/,
        /2 of 2 thresholds have no data/,
      ],
      never: [/error_rate < 1% held/],
      wrote: { path: 'out.xml', has: [/failures="2"/, /no data in all: the file of ingest ended before/] },
    },
  })),
  ...['plan', 'validate'].map((command): InputCase => ({
    name: `a ramp that overlaps the measured phase of a claim is reported: ${command}`,
    files: ['ramp-beyond-warm-up.yml'],
    command: [command, 'ramp-beyond-warm-up.yml'],
    expect: { exitCode: 0, says: [/The ramp of ingest reaches into the measured phase/] },
  })),
  {
    name: 'a ramp that overlaps the measured phase is shown next to the verdict of the run',
    files: ['ramp-beyond-warm-up.yml'],
    command: [
      'run',
      'ramp-beyond-warm-up.yml',
      ...set(
        'measure.warmup=0s',
        'measure.duration=2s',
        'trials=1',
        'tasks[0].executor={"ramping-clients":{"start":1,"stages":[{"clients":2,"over":"2s"}]}}',
      ),
    ],
    expect: {
      exitCode: 0,
      says: [/The ramp of ingest reaches into the measured phase/, /UNDECIDED/],
    },
  },
];

/** Returns yesterday's date in a time zone, like `2026-11-25`. */
const dayBefore = (zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.now() - 24 * 3_600_000);

const TIMES: readonly InputCase[] = [
  ...ZONES.flatMap((zone): InputCase[] => [
    {
      name: `times of a log without a zone are UTC, with TZ=${zone}`,
      files: ['searches-no-zone.ndjson'],
      command: ['inspect', 'searches-no-zone.ndjson'],
      env: { TZ: zone },
      expect: { exitCode: 0, says: [/from 2026-03-29T00:00:00\.000Z to 2026-03-29T04:30:00\.000Z: 4h 30m/] },
    },
    {
      name: `the time zone of the schedule determines the date in a file name, with TZ=${zone}`,
      files: ['night-of-the-clock.yml'],
      command: ['plan', 'night-of-the-clock.yml'],
      env: { TZ: zone },
      expect: { exitCode: 0, says: [new RegExp(`access-${dayBefore('Europe/Berlin')}\\.log`)] },
    },
  ]),
  ...ZONES.slice(1).map((zone): InputCase => ({
    name: `a date parameter without a zone is UTC, with TZ=${zone}`,
    files: ['date-parameter-no-zone.yml'],
    command: ['run', 'date-parameter-no-zone.yml'],
    env: { TZ: zone },
    proxy: ['wire'],
    expect: {
      exitCode: 0,
      wire: { has: [/"gte":"2026-03-29T00:00:00\.000Z","lte":"2026-03-29T02:30:00\.000Z"/] },
    },
  })),
  {
    name: 'a replay keeps the pace of times without a zone across a change to daylight saving time',
    files: ['replay-no-zone.yml', 'searches-no-zone.ndjson'],
    command: ['run', 'replay-no-zone.yml'],
    // The hour from 02:00 to 03:00 does not exist in that night.
    env: { TZ: 'Europe/Berlin' },
    expect: { exitCode: 0, says: [/10 searches|All 10 /], never: [/out of order/] },
  },
];

const TARGETS: readonly InputCase[] = [
  {
    name: 'two clusters given as hosts of one target are refused',
    files: ['two-clusters-existing.yml'],
    command: ['run', 'two-clusters-existing.yml', ...set('measure.warmup=0s', 'measure.duration=1s')],
    proxy: ['odd', 'uuid=another-cluster'],
    besideCluster: true,
    before: [['PUT', '/elsewhere/_doc/1?refresh=true', { a: 1 }]],
    expect: { exitCode: 'not 0', says: [/another-cluster|cluster_uuid|different clusters|two clusters/] },
  },
  {
    name: 'a cluster behind a path works',
    files: ['plain-reads.yml'],
    command: [
      'run',
      'plain-reads.yml',
      ...set('spread=given-hosts', 'measure.warmup=0s', 'measure.duration=2s'),
    ],
    proxy: ['odd', 'prefix=/es/a'],
    path: '/es/a',
    // A busy machine leaves out requests, so their number says nothing about the path. Reports write errors as "404: reason". Without the
    // colon, the pattern would also match latencies and generated names.
    expect: { exitCode: 0, says: [/reads throughput: [1-9]/i], never: [/\b404:/] },
  },
];

export const CASES: readonly InputCase[] = [
  ...PHASES,
  ...TIMES,
  ...EXACT,
  ...BULKS,
  ...KINDS_OF_FILES,
  ...IMPORTS,
  ...TARGETS,
];
