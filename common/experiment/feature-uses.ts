/** Finds the features in a definition that some targets lack. Dyno compares them with the features of a target. */
import {
  missingFeature,
  pluginFor,
  type Aspect,
  type Offered,
  type Use,
} from '../elasticsearch/capabilities';
import type { Engine } from '../elasticsearch/engine';
import { flattenSettings } from '../elasticsearch/settings';
import { plainValue } from '../json/exact';
import type { Problem } from '../problem';
import type { Step } from '../requests/kind';
import { requestKind } from '../requests/registry';
import { taskPath, type TaskDefinition } from '../tasks/registry';
import { requestsOf, workOf, type WrittenRequest } from '../tasks/request-list';
import type { CellDefinition } from './cell-definition';
import { addablePlugins, releaseOf, requestedCluster } from './requested-cluster';
import type { ResolvedCell } from './resolved-cells';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the elements of a list, each with its path. A value that is not a list counts as a single element. */
const each = (value: unknown, path: string): [value: unknown, path: string][] =>
  Array.isArray(value)
    ? value.map((one: unknown, at): [unknown, string] => [one, `${path}[${at}]`])
    : [[value, path]];

/**
 * For each type of query, its keys that contain other queries. Other keys are not searched: they may contain names of fields, which may
 * look like types of queries.
 */
const QUERIES_WITHIN: Readonly<Record<string, readonly string[]>> = {
  bool: ['must', 'filter', 'should', 'must_not'],
  boosting: ['positive', 'negative'],
  constant_score: ['filter'],
  dis_max: ['queries'],
  function_score: ['query', 'functions'],
  has_child: ['query'],
  has_parent: ['query'],
  hybrid: ['queries', 'filter'],
  knn: ['filter'],
  nested: ['query'],
  pinned: ['organic'],
  rule: ['organic'],
  rule_query: ['organic'],
  script_score: ['query'],
  span_containing: ['little', 'big'],
  span_field_masking: ['query'],
  span_first: ['match'],
  span_multi: ['match'],
  span_near: ['clauses'],
  span_not: ['include', 'exclude'],
  span_or: ['clauses'],
  span_within: ['little', 'big'],
};
/** Types of queries whose options for a field can contain a filter. */
const FILTERED_BY_FIELD = ['knn', 'neural'];

type Report = (aspect: Aspect, name: string, path: string, value?: unknown) => void;

/** Reports the parts of a search that need features which some targets lack. */
class SearchUses {
  constructor(private readonly report: Report) {}

  search(body: unknown, path: string): void {
    if (!isObject(body)) return;
    for (const [key, inner] of Object.entries(body)) {
      this.report('search', key, `${path}.${key}`);
      if (key === 'retriever') this.retriever(inner, `${path}.${key}`);
      else this.keysOf(key, inner, `${path}.${key}`);
    }
    for (const key of ['query', 'post_filter', 'index_filter']) this.query(body[key], `${path}.${key}`);
    for (const [knn, at] of each(body['knn'], `${path}.knn`))
      if (isObject(knn)) this.query(knn['filter'], `${at}.filter`);
    this.rescore(body['rescore'], `${path}.rescore`);
    this.highlight(body['highlight'], `${path}.highlight`);
    this.innerHits(body['collapse'], `${path}.collapse`);
    for (const key of ['aggs', 'aggregations']) this.aggregations(body[key], `${path}.${key}`);
    for (const [key, at] of each(body['sort'], `${path}.sort`)) this.sort(key, at);
  }

  query(value: unknown, path: string): void {
    for (const [query, at] of each(value, path)) {
      if (!isObject(query)) continue;
      for (const [name, inner] of Object.entries(query)) {
        const own = `${at}.${name}`;
        this.report('query', name, own);
        if (!isObject(inner)) continue;
        for (const [key, options] of Object.entries(inner)) {
          // In the form of OpenSearch, a key of `knn` is the name of a field.
          if (name !== 'knn' || 'field' in inner)
            this.report('query', `${name}.${key}`, `${own}.${key}`, options);
          if (!isObject(options)) continue;
          for (const option of Object.keys(options))
            this.report('query', `${name}.*.${option}`, `${own}.${key}.${option}`);
          if (FILTERED_BY_FIELD.includes(name)) this.query(options['filter'], `${own}.${key}.filter`);
        }
        for (const key of (Object.hasOwn(QUERIES_WITHIN, name) && QUERIES_WITHIN[name]) || [])
          if (key === 'functions') this.functions(inner[key], `${own}.${key}`);
          else this.query(inner[key], `${own}.${key}`);
        this.innerHits(inner, own);
      }
    }
  }

  /** Reports the keys of the objects in `value`, which is the value of `key` in the body of a search. */
  private keysOf(key: string, value: unknown, path: string): void {
    for (const [one, at] of each(value, path))
      for (const own of isObject(one) ? Object.keys(one) : [])
        this.report('search', `${key}.${own}`, `${at}.${own}`);
  }

  private retriever(value: unknown, path: string): void {
    for (const [one, at] of each(value, path)) {
      if (!isObject(one)) continue;
      // If retrievers have weights, each of them is in an object with its weight.
      this.retriever(one['retriever'], `${at}.retriever`);
      for (const [type, inner] of Object.entries(one)) {
        const own = `${at}.${type}`;
        if (type === 'retriever' || !isObject(inner)) continue;
        this.report('search', `retriever.${type}`, own);
        if (type === 'knn') this.keysOf(type, inner, own);
        for (const key of ['query', 'filter']) this.query(inner[key], `${own}.${key}`);
        for (const key of ['retriever', 'retrievers']) this.retriever(inner[key], `${own}.${key}`);
        this.rescore(inner['rescore'], `${own}.rescore`);
      }
    }
  }

  private rescore(value: unknown, path: string): void {
    for (const [rescore, at] of each(value, path))
      if (isObject(rescore) && isObject(rescore['query']))
        this.query(rescore['query']['rescore_query'], `${at}.query.rescore_query`);
  }

  private highlight(value: unknown, path: string): void {
    if (!isObject(value)) return;
    this.query(value['highlight_query'], `${path}.highlight_query`);
    for (const [fields, at] of each(value['fields'], `${path}.fields`))
      for (const [field, options] of isObject(fields) ? Object.entries(fields) : [])
        this.highlight(options, `${at}.${field}`);
  }

  private innerHits(value: unknown, path: string): void {
    if (!isObject(value)) return;
    for (const [hits, at] of each(value['inner_hits'], `${path}.inner_hits`)) this.search(hits, at);
  }

  private sort(value: unknown, path: string): void {
    if (typeof value === 'string') this.report('sort', value, path);
    if (!isObject(value)) return;
    for (const [name, options] of Object.entries(value)) {
      this.report('sort', name, path);
      if (!isObject(options)) continue;
      for (const key of Object.keys(options)) this.report('sort', `*.${key}`, `${path}.${name}.${key}`);
      if (isObject(options['nested']))
        this.query(options['nested']['filter'], `${path}.${name}.nested.filter`);
    }
  }

  private functions(value: unknown, path: string): void {
    for (const [one, at] of each(value, path)) if (isObject(one)) this.query(one['filter'], `${at}.filter`);
  }

  private aggregations(value: unknown, path: string): void {
    if (!isObject(value)) return;
    for (const [own, aggregation] of Object.entries(value)) {
      if (!isObject(aggregation)) continue;
      const at = `${path}.${own}`;
      for (const [type, inner] of Object.entries(aggregation)) {
        if (type === 'aggs' || type === 'aggregations') this.aggregations(inner, `${at}.${type}`);
        else if (type !== 'meta') {
          this.report('aggregation', type, `${at}.${type}`);
          this.aggregationKeys(type, inner, `${at}.${type}`);
          this.filters(type, inner, `${at}.${type}`);
        }
      }
    }
  }

  /** Reports the keys of an aggregation, and the keys of its values, such as those of `order`. */
  private aggregationKeys(type: string, value: unknown, path: string): void {
    for (const [key, inner] of isObject(value) ? Object.entries(value) : []) {
      this.report('aggregation', `${type}.${key}`, `${path}.${key}`);
      for (const [one, at] of each(inner, `${path}.${key}`))
        for (const [own, source] of isObject(one) ? Object.entries(one) : []) {
          this.report('aggregation', `${type}.${key}.${own}`, `${at}.${own}`);
          if (type === 'composite' && isObject(source))
            for (const [kind, given] of Object.entries(source))
              this.aggregationKeys(kind, given, `${at}.${own}.${kind}`);
        }
    }
  }

  /** Examines the queries inside an aggregation that filters documents, such as `filters`, and the keys of `top_hits`. */
  private filters(type: string, inner: unknown, path: string): void {
    if (type === 'filter') return this.query(inner, path);
    if (type === 'top_hits') return this.search(inner, path);
    if (!isObject(inner)) return;
    if (type === 'filters' || type === 'adjacency_matrix') {
      const filters = inner['filters'];
      if (!isObject(filters)) return this.query(filters, `${path}.filters`);
      for (const [name, query] of Object.entries(filters)) this.query(query, `${path}.filters.${name}`);
    }
    this.query(inner['background_filter'], `${path}.background_filter`);
  }
}

type Examine = (body: unknown, path: string, report: Report) => void;

const ofSearch: Examine = (body, path, report) => new SearchUses(report).search(body, path);

const ofFilter: Examine = (body, path, report) => {
  if (isObject(body)) new SearchUses(report).query(body['filter'], `${path}.filter`);
};

const ofProcessors: Examine = (value, path, report) => {
  for (const [processor, at] of each(value, path))
    for (const [type, inner] of isObject(processor) ? Object.entries(processor) : []) {
      report('processor', type, `${at}.${type}`);
      for (const key of ['processor', 'on_failure'])
        if (isObject(inner)) ofProcessors(inner[key], `${at}.${type}.${key}`, report);
    }
};

const ofPipeline: Examine = (body, path, report) => {
  for (const key of ['processors', 'on_failure'])
    if (isObject(body)) ofProcessors(body[key], `${path}.${key}`, report);
};

const ofSettings: Examine = (settings, path, report) => {
  if (!isObject(settings)) return;
  for (const [name, value] of Object.entries(flattenSettings(settings)))
    report('setting', name, `${path}.${name}`, value);
};

/** Examines settings and mappings: of an index or of a legacy template, or those in the `template` of a composable template. */
const ofIndex: Examine = (body, path, report) => {
  if (!isObject(body)) return;
  if (isObject(body['template'])) return ofIndex(body['template'], `${path}.template`, report);
  ofSettings(body['settings'], `${path}.settings`, report);
  ofMapping(body['mappings'], `${path}.mappings`, report);
  if (body['lifecycle'] !== undefined) report('index', 'lifecycle', `${path}.lifecycle`);
};

const ofClusterSettings: Examine = (body, path, report) => {
  for (const key of ['persistent', 'transient'])
    if (isObject(body) && isObject(body[key]))
      for (const name of Object.keys(flattenSettings(body[key])))
        report('cluster', name, `${path}.${key}.${name}`);
};

/** For each pattern of paths, a function that reports the features which the body of such an HTTP request uses. */
const BODIES: readonly [path: RegExp, examine: Examine][] = [
  [
    /\/(?:_search|_async_search|_asynchronous_search|_count|_field_caps|_terms_enum|_validate\/query|_(?:update|delete)_by_query|_explain\/[^/]+)$/,
    ofSearch,
  ],
  [
    /\/_reindex$/,
    (body, path, report) => isObject(body) && ofSearch(body['source'], `${path}.source`, report),
  ],
  [/\/(?:_query|_query\/async|_sql|_eql\/search)$/, ofFilter],
  [/^\/_ingest\/pipeline\/[^/]+$/, ofPipeline],
  [/\/_mapping$/, (body, path, report) => ofMapping(body, path, report)],
  [/\/_settings$/, ofSettings],
  [/^\/_cluster\/settings$/, ofClusterSettings],
  [/^\/(?:(?:_index_template|_component_template|_template)\/[^/]+|[^_/][^/]*)$/, ofIndex],
];

/** Returns whether Dyno looks for features in the body of an HTTP request. `path`: its path without the query string. */
export const isExamined = (path: string): boolean => BODIES.some(([pattern]) => pattern.test(path));

const ofBody = (api: string, body: unknown, path: string, report: Report): void =>
  BODIES.find(([pattern]) => pattern.test(api))?.[1](body, path, report);

/** Examines the searches in the lines of an `_msearch`. Every second line is a search. */
function ofLines(lines: unknown, path: string, report: Report): void {
  for (const [at, [line, place]] of each(lines, path).entries())
    if (at % 2 === 1) ofSearch(line, place, report);
}

/** Returns the name of an API in tables of features: the first segment of the path that begins with an underscore. */
const apiOf = (path: string): string => path.split('/').find((segment) => segment.startsWith('_')) ?? '';

/** Returns the path of a step without its query string. Parameters are written as `{{name}}`. */
const pathOf = ({ path }: Step): string =>
  typeof path === 'string'
    ? path
    : path
        .map((piece) => (typeof piece === 'string' ? piece : `{{${piece.parameter}}}`))
        .join('')
        .split('?')[0]!;

function ofRequest(request: WrittenRequest, at: string, engine: Engine, report: Report): void {
  const { kind, key, given } = workOf(request);
  const plain = plainValue(given) as Json;
  // In the short form, `body` and `params` are directly below the request.
  const own = request.body === undefined ? `${at}.${key}` : at;
  report('request', kind, `${at}.${key}`);
  for (const name of Object.keys(plain)) report('request', `${kind}.${name}`, `${at}.${key}.${name}`);
  const steps = requestKind(kind).steps(given, engine);
  for (const step of steps) {
    const path = pathOf(step);
    report('path', path, `${at}.${key}`);
    for (const name of Object.keys(step.params ?? {}))
      report('parameter', `${apiOf(path)}?${name}`, `${own}.params.${name}`);
  }
  const api = steps.map(pathOf).find(isExamined);
  if (api !== undefined) ofBody(api, plain['body'], `${own}.body`, report);
  if (kind === 'knn') ofFilter(plain, own, report);
  if (kind === 'msearch')
    for (const [search, place] of each(plain['searches'], `${own}.searches`))
      if (isObject(search)) ofSearch(search['body'], `${place}.body`, report);
  if (kind === 'http' && String(plain['path']).endsWith('/_msearch'))
    ofLines(plain['ndjson'], `${own}.ndjson`, report);
}

function ofTask(task: TaskDefinition, place: number, engine: Engine, report: Report): void {
  const path = taskPath(task, place);
  const { requests, search, transaction } = task;
  const list = requests === undefined ? 'requests' : 'list';
  const work = requests === undefined ? (search ?? transaction) : { requests: requests.list };
  if (work === undefined) return;
  const isSet = 'set' in work && work.set !== undefined;
  requestsOf(work).forEach((request, at) => {
    // If a request comes from a built-in set, the definition does not contain it, so its path ends at the key `set`.
    const own = isSet ? `${path}.set` : `${path}.${list}[${at}]`;
    ofRequest(
      request,
      own,
      engine,
      isSet ? (aspect, name, _, value) => report(aspect, name, own, value) : report,
    );
  });
}

/** Keys whose value is an object of fields by name: `properties` in mappings, `fields` in multi-fields. */
const FIELDS_BY_NAME = ['properties', 'fields'];

function ofMapping(value: unknown, path: string, report: Report): void {
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = `${path}.${key}`;
    if (key === 'type') report('field', String(inner), at);
    else report('mapping', key, at, inner);
    if (FIELDS_BY_NAME.includes(key) && isObject(inner))
      for (const [name, field] of Object.entries(inner)) ofMapping(field, `${at}.${name}`, report);
    else if (isObject(inner))
      for (const [own, value] of Object.entries(inner))
        report('mapping', `${key}.${own}`, `${at}.${own}`, value);
    if (key === 'dynamic_templates')
      for (const [template, place] of each(inner, at))
        for (const [name, rule] of isObject(template) ? Object.entries(template) : [])
          ofRule(rule, `${place}.${name}`, report);
  }
}

/** Examines a rule of `dynamic_templates`. */
function ofRule(rule: unknown, path: string, report: Report): void {
  if (!isObject(rule)) return;
  for (const key of Object.keys(rule)) report('mapping', `dynamic_templates.${key}`, `${path}.${key}`);
  ofMapping(rule['mapping'], `${path}.mapping`, report);
}

/** Calls `report` for every key and value in a cell's definition that may need a feature which some targets lack. */
function visit(own: CellDefinition, engine: Engine, report: Report): void {
  const { index, cluster, measure, preload, tasks } = own;
  if (index.existing === undefined) {
    for (const key of ['as', 'lifecycle', 'dimensions'] as const)
      if (index[key] !== undefined) report('index', key, `index.${key}`, index[key]);
    if (index.allocation !== 'none') report('index', 'allocation', 'index.allocation');
    ofSettings(plainValue(index.settings), 'index.settings', report);
    ofMapping(plainValue(index.mapping), 'index.mapping', report);
  }
  for (const name of Object.keys(cluster.settings)) report('cluster', name, `cluster.settings.${name}`);
  for (const [key, value] of Object.entries(measure))
    if (value !== undefined && value !== false) report('measure', key, `measure.${key}`, value);
  measure.recipe?.forEach(({ settings }, at) =>
    ofSettings(plainValue(settings), `measure.recipe[${at}].settings`, report),
  );
  for (const [key, value] of Object.entries(preload ?? {})) report('preload', key, `preload.${key}`, value);
  tasks.forEach((task, place) => ofTask(task, place, engine, report));
}

/** Returns what `visit` reports to its argument. */
function collected(visiting: (report: Report) => void): Use[] {
  const uses: Use[] = [];
  visiting((aspect, name, path, value) => uses.push({ aspect, name, path, value }));
  return uses;
}

/**
 * Returns the keys and values in a cell's definition that may need features which some targets lack. `engine`: engine of the target. Some
 * requests differ between the engines.
 */
export const usesOf = (own: CellDefinition, engine: Engine): Use[] =>
  collected((report) => visit(own, engine, report));

/** Returns the features that the body of a search may need. `path`: path of the body. The paths of the result begin with it. */
export const usesOfSearch = (body: unknown, path: string): Use[] =>
  collected((report) => ofSearch(body, path, report));

/** A recorded HTTP request. */
export interface SentRequest {
  /** Path without the query string. */
  path: string;
  /** Names of the query parameters. */
  parameters: readonly string[];
  /** The parsed body; null without one. */
  body: unknown;
  /** The parsed lines of the body of an `_msearch`. */
  ndjson?: readonly unknown[];
}

/** Returns the features that an HTTP request may need. */
export const usesOfHttp = ({ path, parameters, body, ndjson }: SentRequest): Use[] =>
  collected((report) => {
    report('path', path, 'path');
    for (const name of parameters) report('parameter', `${apiOf(path)}?${name}`, `params.${name}`);
    ofBody(path, body, 'body', report);
    ofLines(ndjson, 'http.ndjson', report);
  });

/** Returns the names of the plugins that the cells need in this engine, sorted and without duplicates. */
export const pluginsNeeded = (cells: readonly CellDefinition[], engine: Engine): string[] =>
  [
    ...new Set(cells.flatMap((cell) => usesOf(cell, engine).flatMap((use) => pluginFor(use, engine) ?? []))),
  ].sort();

/**
 * Returns a problem for each use of a feature that the target lacks. Of several problems with the same path and value, only the first is
 * returned.
 */
export function missingAmong(uses: readonly Use[], target: Offered): Problem[] {
  const problems = new Map<string, Problem>();
  for (const use of uses) {
    const missing = missingFeature(use, target);
    const key = `${use.path} ${String(use.value)}`;
    if (missing === undefined || problems.has(key)) continue;
    problems.set(key, { code: 'target.missing-feature', path: use.path, ...missing });
  }
  return [...problems.values()];
}

/** Returns a problem for each feature that the cells use and the target lacks, without duplicates. */
export const missingFeatures = (cells: readonly CellDefinition[], target: Offered): Problem[] =>
  missingAmong(
    cells.flatMap((cell) => usesOf(cell, target.engine)),
    target,
  );

/**
 * Returns a problem for each feature that a definition uses and that its engine or version does not support, without duplicates. The
 * clusters that Dyno starts have only those plugins that Dyno can add.
 */
export function missingOnStarted(cells: readonly ResolvedCell[]): Problem[] {
  const problems = cells.flatMap(({ definition }) => {
    const { engine, version } = releaseOf(requestedCluster(definition.environment));
    const plugins = new Set(addablePlugins(engine, version));
    return missingFeatures([definition], { engine, version, serverless: false, plugins });
  });
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
}

/**
 * Returns a problem for each feature that a request uses and the target lacks. `path`: path of the request in the definition. The paths of
 * the problems begin with it.
 */
export const missingForRequest = (request: WrittenRequest, path: string, target: Offered): Problem[] =>
  missingAmong(
    collected((report) => ofRequest(request, path, target.engine, report)),
    target,
  );
