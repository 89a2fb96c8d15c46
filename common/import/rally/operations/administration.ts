/** Converts operations that Rally executes once, to prepare a cluster, to wait for it, or to clean up. */
import { stringifyExact } from '../../../json/exact';
import type { NamedTemplate } from '../track';
import type { Wire } from '../wire';
import {
  headers,
  inPath,
  isTrue,
  list,
  mandatory,
  object,
  optional,
  query,
  sends,
  target,
  Unfit,
  type Convert,
  type Given,
} from './operation';

type Fields = Readonly<Record<string, unknown>>;

const put = (path: string, body?: unknown, params = {}): Wire => ({
  method: 'PUT',
  path,
  ...(body === undefined || body === null ? {} : { body }),
  params,
});
const remove = (path: string, params = {}): Wire => ({ method: 'DELETE', path, params });

/** Merges two objects, including the objects inside. If both contain a key, the value of `over` replaces the value of `under`. */
function merged(under: Fields, over: Fields): Fields {
  const out: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const own = out[key];
    const both = [own, value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
    out[key] = both ? merged(own as Fields, value as Fields) : value;
  }
  return out;
}

/** Adds `settings` to the settings in a body. As in Rally, objects inside the settings are replaced, not merged. */
const withSettings = (body: Fields | null, settings: unknown): Fields | null =>
  settings === undefined || settings === null || Object.keys(settings).length === 0
    ? body
    : {
        ...body,
        settings: { ...(body?.['settings'] as object | undefined), ...object(settings, 'settings') },
      };

const createIndex: Convert = ({ params, track }) => {
  const wanted = list(params['index']);
  const made: { name: string; body: Fields | null }[] =
    track.indices.length > 0
      ? track.indices
          .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
          .map(({ name, body }) => ({ name, body: withSettings(body, params['settings']) }))
      : wanted.map((name) => ({ name, body: (params['body'] as Fields | undefined) ?? null }));
  if (made.some(({ name }) => name === '') || (track.indices.length === 0 && made.length === 0))
    throw new Unfit('names no index');
  return sends(
    params,
    ...made.map(({ name, body }) => put(`/${inPath(name)}`, body, query(params['request-params']))),
  );
};

/**
 * Converts `delete-index`. Rally first checks whether the index exists. The definition does not check this. Instead, it sends
 * `ignore_unavailable`, and a missing index is therefore not an error.
 */
const deleteIndex: Convert = ({ params, track }) => {
  const named = list(params['index']);
  const all = named.length > 0 ? named : track.indices.map(({ name }) => name);
  if (all.length === 0 || all.includes('')) throw new Unfit('names no index');
  const { 'only-if-exists': tolerates = true } = params;
  const tolerant = isTrue(tolerates) ? { ignore_unavailable: true } : {};
  return sends(
    params,
    ...all.map((name) => remove(`/${inPath(name)}`, query(params['request-params'], tolerant))),
  );
};

const streamsOf = ({ params, track }: Given): string[] => {
  const named = list(params['data-stream']);
  const all = named.length > 0 ? named : [...track.dataStreams];
  if (all.length === 0) throw new Unfit('names no data stream');
  return all;
};

const createDataStream: Convert = (given) => {
  const { params, track } = given;
  const wanted = list(params['data-stream']);
  const all =
    track.dataStreams.length > 0
      ? track.dataStreams.filter((name) => wanted.length === 0 || wanted.includes(name))
      : streamsOf(given);
  return sends(
    params,
    ...all.map((name) => put(`/_data_stream/${inPath(name)}`, undefined, query(params['request-params']))),
  );
};

const deleteDataStream: Convert = (given) =>
  sends(
    given.params,
    ...streamsOf(given).map((name) =>
      remove(`/_data_stream/${inPath(name)}`, query(given.params['request-params'])),
    ),
  );

/** Returns the template in the operation. If the operation has no template, returns the templates of the track. */
function templatesOf(
  params: Fields,
  known: readonly NamedTemplate[],
  settings: (content: Fields) => Fields,
): NamedTemplate[] {
  const wanted = optional(params, 'template');
  if (wanted !== undefined && params['body'] !== undefined)
    return [{ name: wanted, content: object(params['body'], 'body') }];
  const found = known.filter(({ name }) => wanted === undefined || name === wanted);
  if (found.length === 0)
    throw new Unfit(
      wanted === undefined
        ? 'names no template'
        : `names the template ${wanted}, which the track does not have`,
    );
  return found.map((one) => ({ ...one, content: settings(one.content) }));
}

const inTemplate =
  (params: Fields) =>
  (content: Fields): Fields =>
    params['settings'] === undefined
      ? content
      : merged(content, { template: { settings: object(params['settings'], 'settings') } });

/**
 * Returns a function that converts operations that delete templates. If the operation also deletes the indices that match a template, the
 * function adds requests that delete these indices.
 */
const deleteTemplates =
  (api: string, known: (given: Given) => readonly NamedTemplate[]): Convert =>
  (given) => {
    const { params } = given;
    const wanted = optional(params, 'template');
    const own = known(given);
    const found =
      own.length > 0
        ? own.filter(({ name }) => wanted === undefined || name === wanted)
        : [
            {
              name: mandatory(params, 'template'),
              pattern: optional(params, 'index-pattern'),
              deletesMatching: isTrue(params['delete-matching-indices']),
            },
          ];
    const asked = query(params['request-params']);
    return sends(
      params,
      ...found.flatMap(({ name, pattern, deletesMatching = false }) => [
        remove(`/${api}/${inPath(name)}`, asked),
        ...(api !== '_component_template' && deletesMatching && pattern !== undefined
          ? [remove(`/${inPath(pattern)}`)]
          : []),
      ]),
    );
  };

const clusterHealth: Convert = ({ params, track }) => {
  const index = list(params['index']).join();
  return {
    ...sends(params, {
      method: 'GET',
      path: `/_cluster/health${index === '' ? '' : `/${inPath(index)}`}`,
      params: query(params['request-params']),
      headers: headers(params),
    }),
    ...(isTrue(params['retry-until-success'])
      ? { notes: [`sent once: ${track.benchmark.name} repeats it until the condition is true`] }
      : {}),
  };
};

const refresh: Convert = ({ params }) => {
  const index = list(params['index']).join();
  return sends(params, {
    method: 'POST',
    path: `${index === '' ? '' : `/${inPath(index)}`}/_refresh`,
    params: query(params['request-params']),
    headers: headers(params),
  });
};

const forceMerge: Convert = ({ params, track }) => {
  const all = [...track.indices.map(({ name }) => name), ...track.dataStreams].join() || '_all';
  const named = list(params['index']).join();
  const index = named === '' ? (optional(params, 'data-stream') ?? all) : named;
  const segments = params['max-num-segments'];
  const polls = params['mode'] === 'polling';
  return {
    ...sends(params, {
      method: 'POST',
      // Rally's client omits `_all` in this path.
      path: index === '_all' ? '/_all/_forcemerge' : `/${inPath(index)}/_forcemerge`,
      params: query(
        {},
        {
          ...(segments === undefined || segments === null || segments === ''
            ? {}
            : { max_num_segments: segments }),
          ...(polls ? { wait_for_completion: false } : {}),
        },
      ),
      headers: headers(params),
    }),
    ...(polls
      ? { notes: [`started without waiting for the end: ${track.benchmark.name} polls until it has ended`] }
      : {}),
  };
};

/**
 * Converts the condition of an operation to a condition on the response, in the format of `expect` in definitions. The result also contains
 * a note about a difference: Rally repeats the request until the condition is true, but Dyno sends it once. `above`: prefix for the path in
 * the response.
 */
const conditionOf = ({ params, track }: Given, above = ''): { expect?: string[]; notes?: string[] } => {
  const { condition } = params;
  if (condition === undefined || condition === null) return {};
  const { path, 'expected-value': value } = object(condition, 'condition');
  return {
    expect: [`${above}${String(path)} == ${stringifyExact(value)}`],
    notes: [
      `sent once, and failed if its condition is false: ${track.benchmark.name} repeats it until the condition is true`,
    ],
  };
};

const indexStats: Convert = (given) => ({
  ...sends(given.params, {
    method: 'GET',
    path: `/${inPath(list(given.params['index'] ?? '_all').join())}/_stats/_all`,
    params: query(given.params['request-params']),
    headers: headers(given.params),
  }),
  ...conditionOf(given),
});

const ml =
  (api: string, key: string): ((params: Fields, end?: string) => string) =>
  (params, end = '') =>
    `/_ml/${api}/${inPath(mandatory(params, key))}${end}`;
const feed = ml('datafeeds', 'datafeed-id');
const job = ml('anomaly_detectors', 'job-id');
const some = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

const snapshot = (params: Fields): string =>
  `/_snapshot/${inPath(mandatory(params, 'repository'))}/${inPath(mandatory(params, 'snapshot'))}`;
const waits =
  (what: string): Convert =>
  () => ({ left: `polls until ${what}`, nearest: 'an http request that you repeat manually' });

export const ADMINISTRATION: Readonly<Record<string, Convert>> = {
  'create-index': createIndex,
  'delete-index': deleteIndex,
  'create-data-stream': createDataStream,
  'delete-data-stream': deleteDataStream,
  'create-component-template': ({ params, track }) =>
    sends(
      params,
      ...templatesOf(params, track.componentTemplates, inTemplate(params)).map(({ name, content }) =>
        put(
          `/_component_template/${inPath(name)}`,
          { template: content['template'] },
          query(params['request-params']),
        ),
      ),
    ),
  'create-composable-template': ({ params, track }) =>
    sends(
      params,
      ...templatesOf(params, track.composableTemplates, inTemplate(params)).map(({ name, content }) =>
        put(`/_index_template/${inPath(name)}`, content, query(params['request-params'])),
      ),
    ),
  'create-index-template': ({ params, track }) =>
    sends(
      params,
      ...templatesOf(params, track.templates, (content) => withSettings(content, params['settings'])!).map(
        ({ name, content }) => put(`/_template/${inPath(name)}`, content, query(params['request-params'])),
      ),
    ),
  'delete-component-template': deleteTemplates(
    '_component_template',
    ({ track }) => track.componentTemplates,
  ),
  'delete-composable-template': deleteTemplates('_index_template', ({ track }) => track.composableTemplates),
  'delete-index-template': deleteTemplates('_template', ({ track }) => track.templates),
  'cluster-health': clusterHealth,
  refresh,
  'force-merge': forceMerge,
  'index-stats': indexStats,
  'node-stats': ({ params }) => sends(params, { method: 'GET', path: '/_nodes/stats/_all' }),
  'put-settings': ({ params }) => sends(params, put('/_cluster/settings', object(params['body'], 'body'))),
  'put-pipeline': ({ params }) =>
    sends(
      params,
      put(
        `/_ingest/pipeline/${inPath(mandatory(params, 'id'))}`,
        object(params['body'], 'body'),
        query({}, some({ master_timeout: params['master-timeout'], timeout: params['timeout'] })),
      ),
    ),
  'create-ilm-policy': ({ params }) =>
    sends(
      params,
      put(
        `/_ilm/policy/${inPath(mandatory(params, 'policy-name'))}`,
        object(params['body'], 'body'),
        query(params['request-params']),
      ),
    ),
  'delete-ilm-policy': ({ params }) =>
    sends(
      params,
      remove(`/_ilm/policy/${inPath(mandatory(params, 'policy-name'))}`, query(params['request-params'])),
    ),
  'create-snapshot-repository': ({ params }) =>
    sends(
      params,
      put(
        `/_snapshot/${inPath(mandatory(params, 'repository'))}`,
        object(params['body'], 'body'),
        query(params['request-params']),
      ),
    ),
  'delete-snapshot-repository': ({ params }) =>
    sends(params, remove(`/_snapshot/${inPath(mandatory(params, 'repository'))}`)),
  'create-snapshot': ({ params }) =>
    sends(
      params,
      put(
        snapshot(params),
        object(params['body'], 'body'),
        query(params['request-params'], { wait_for_completion: params['wait-for-completion'] ?? false }),
      ),
    ),
  'restore-snapshot': ({ params }) =>
    sends(params, {
      method: 'POST',
      path: `${snapshot(params)}/_restore`,
      params: query(params['request-params'], {
        wait_for_completion: params['wait-for-completion'] ?? false,
      }),
      headers: headers(params),
      body: params['body'] ?? {},
    }),
  'wait-for-snapshot-create': waits('a snapshot is done'),
  'wait-for-current-snapshots-create': waits('no snapshot is being made'),
  'wait-for-recovery': waits('shards are recovered'),
  'shrink-index': () => ({
    left: 'looks for a node, moves the shards there, waits and shrinks',
    nearest: 'http requests that name the node',
  }),
  downsample: ({ params, track }) => {
    const interval = optional(params, 'fixed-interval') ?? '1h';
    const source = target(track, { index: params['source-index'] });
    if (source === undefined) throw new Unfit('names no source-index');
    const method = optional(params, 'sampling-method');
    return sends(params, {
      method: 'POST',
      path: `/${inPath(source)}/_downsample/${inPath(optional(params, 'target-index') ?? `${source}-${interval}`)}`,
      body: { fixed_interval: interval, ...(method === undefined ? {} : { sampling_method: method }) },
    });
  },
  'create-transform': ({ params }) =>
    sends(
      params,
      put(
        `/_transform/${inPath(mandatory(params, 'transform-id'))}`,
        object(params['body'], 'body'),
        query({}, { defer_validation: params['defer-validation'] ?? false }),
      ),
    ),
  'start-transform': ({ params }) =>
    sends(params, {
      method: 'POST',
      path: `/_transform/${inPath(mandatory(params, 'transform-id'))}/_start`,
      params: query({}, some({ timeout: params['timeout'] })),
    }),
  'wait-for-transform': waits('a transform has reached its end'),
  'delete-transform': ({ params }) =>
    sends(
      params,
      remove(
        `/_transform/${inPath(mandatory(params, 'transform-id'))}`,
        query({}, { force: params['force'] ?? false }),
      ),
    ),
  'transform-stats': (given) => ({
    ...sends(given.params, {
      method: 'GET',
      path: `/_transform/${inPath(mandatory(given.params, 'transform-id'))}/_stats`,
    }),
    ...conditionOf(given, 'transforms.first.'),
  }),
  'create-ml-datafeed': ({ params }) => sends(params, put(feed(params), object(params['body'], 'body'))),
  'delete-ml-datafeed': ({ params }) =>
    sends(params, remove(feed(params), query({}, { force: params['force'] ?? false }))),
  'start-ml-datafeed': ({ params }) =>
    sends(params, {
      method: 'POST',
      path: feed(params, '/_start'),
      body: some({
        ...(params['body'] as Fields | undefined),
        start: params['start'],
        end: params['end'],
        timeout: params['timeout'],
      }),
    }),
  'stop-ml-datafeed': ({ params }) =>
    sends(params, {
      method: 'POST',
      path: feed(params, '/_stop'),
      body: some({ force: params['force'] ?? false, timeout: params['timeout'] }),
    }),
  'create-ml-job': ({ params }) => sends(params, put(job(params), object(params['body'], 'body'))),
  'delete-ml-job': ({ params }) =>
    sends(params, remove(job(params), query({}, { force: params['force'] ?? false }))),
  'open-ml-job': ({ params }) => sends(params, { method: 'POST', path: job(params, '/_open') }),
  'close-ml-job': ({ params }) =>
    sends(params, {
      method: 'POST',
      path: job(params, '/_close'),
      body: some({ force: params['force'] ?? false, timeout: params['timeout'] }),
    }),
  sleep: ({ params }) => ({
    left: `waits for ${String(params['duration'])} seconds and sends nothing`,
    nearest: 'a pause between two runs',
  }),
};
