/** Finds the features in a definition that some targets lack. Dyno compares them with the features of a target. */
import {
  missingFeature,
  pluginFor,
  type Aspect,
  type Offered,
  type Use,
} from '../elasticsearch/capabilities';
import type { Engine } from '../elasticsearch/engine';
import { plainValue } from '../json/exact';
import type { Problem } from '../problem';
import type { Step } from '../requests/kind';
import { requestKind } from '../requests/registry';
import { taskPath, type TaskDefinition } from '../tasks/registry';
import { requestsOf, workOf, type WrittenRequest } from '../tasks/request-list';
import type { CellDefinition } from './cell-definition';

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
  hybrid: ['queries'],
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

type Report = (aspect: Aspect, name: string, path: string, value?: unknown) => void;

/** Reports the parts of a search that need features which some targets lack. */
class SearchUses {
  constructor(private readonly report: Report) {}

  search(body: unknown, path: string): void {
    if (!isObject(body)) return;
    for (const key of Object.keys(body)) this.report('search', key, `${path}.${key}`);
    for (const key of ['query', 'post_filter']) this.query(body[key], `${path}.${key}`);
    for (const [knn, at] of each(body['knn'], `${path}.knn`))
      if (isObject(knn)) this.query(knn['filter'], `${at}.filter`);
    for (const [rescore, at] of each(body['rescore'], `${path}.rescore`))
      if (isObject(rescore) && isObject(rescore['query']))
        this.query(rescore['query']['rescore_query'], `${at}.query.rescore_query`);
    for (const key of ['aggs', 'aggregations']) this.aggregations(body[key], `${path}.${key}`);
    for (const [key, at] of each(body['sort'], `${path}.sort`))
      for (const name of typeof key === 'string' ? [key] : isObject(key) ? Object.keys(key) : [])
        this.report('sort', name, at);
  }

  query(value: unknown, path: string): void {
    for (const [query, at] of each(value, path)) {
      if (!isObject(query)) continue;
      for (const [name, inner] of Object.entries(query)) {
        this.report('query', name, `${at}.${name}`);
        if (!isObject(inner)) continue;
        for (const key of QUERIES_WITHIN[name] ?? []) {
          const within = `${at}.${name}.${key}`;
          if (key === 'functions') this.functions(inner[key], within);
          else this.query(inner[key], within);
        }
      }
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
          this.filters(type, inner, `${at}.${type}`);
        }
      }
    }
  }

  /** Examines the queries inside an aggregation that filters documents, such as `filters`. */
  private filters(type: string, inner: unknown, path: string): void {
    if (type === 'filter') return this.query(inner, path);
    if (!isObject(inner)) return;
    if (type === 'filters' || type === 'adjacency_matrix') {
      const filters = inner['filters'];
      if (!isObject(filters)) return this.query(filters, `${path}.filters`);
      for (const [name, query] of Object.entries(filters)) this.query(query, `${path}.filters.${name}`);
    }
    this.query(inner['background_filter'], `${path}.background_filter`);
  }
}

type Found = { body: unknown; path: string; isWhole: boolean };

/**
 * Returns the bodies of searches in an `http` request. The result is empty if the body is given as text, because Dyno does not parse it.
 */
function searchesOfHttp(given: Json, whole: Found): Found[] {
  const path = String(given['path']);
  if (/\/(_search|_async_search|_count)$/.test(path)) return [whole];
  if (!path.endsWith('/_msearch')) return [];
  return each(given['ndjson'], 'http.ndjson')
    .filter((_, at) => at % 2 === 1)
    .map(([body, at]) => ({ body, path: at, isWhole: true }));
}

/**
 * Returns the bodies of searches in a request, with their paths in the request. `isShort`: whether the request has the short form, with its
 * `body` directly below the request.
 */
function searchesIn(kind: string, given: Json, isShort: boolean): Found[] {
  const whole = { path: isShort ? 'body' : `${kind}.body`, body: given['body'], isWhole: true };
  if (kind === 'msearch')
    return each(given['searches'], 'msearch.searches').map(([search, at]) => ({
      ...{ body: isObject(search) ? search['body'] : undefined, path: `${at}.body`, isWhole: true },
    }));
  if (kind === 'knn') return [{ body: { query: given['filter'] }, path: 'knn.filter', isWhole: false }];
  if (kind === 'http') return searchesOfHttp(given, whole);
  return ['search', 'scroll', 'point-in-time', 'async-search', 'count'].includes(kind) ? [whole] : [];
}

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
  report('request', kind, `${at}.${key}`);
  for (const own of Object.keys(plain)) report('request', `${kind}.${own}`, `${at}.${key}.${own}`);
  for (const step of requestKind(kind).steps(given, engine)) report('path', pathOf(step), `${at}.${key}`);
  const searches = new SearchUses(report);
  for (const { body, path, isWhole } of searchesIn(kind, plain, request.body !== undefined)) {
    if (isWhole) searches.search(body, `${at}.${path}`);
    else if (isObject(body)) searches.query(body['query'], `${at}.${path}`);
  }
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
    if (key === '_source' && isObject(inner) && inner['mode'] !== undefined)
      report('mapping', '_source.mode', `${at}.mode`, inner['mode']);
    if (key === 'dynamic_templates')
      for (const [template, place] of each(inner, at))
        for (const [name, rule] of isObject(template) ? Object.entries(template) : [])
          if (isObject(rule)) ofMapping(rule['mapping'], `${place}.${name}.mapping`, report);
  }
}

/** Calls `report` for every key and value in a cell's definition that may need a feature which some targets lack. */
function visit(own: CellDefinition, engine: Engine, report: Report): void {
  const { index, cluster, measure, preload, tasks } = own;
  if (index.existing === undefined) {
    for (const key of ['as', 'lifecycle', 'dimensions'] as const)
      if (index[key] !== undefined) report('index', key, `index.${key}`, index[key]);
    if (index.allocation !== 'none') report('index', 'allocation', 'index.allocation');
    for (const [name, value] of Object.entries(index.settings))
      report('setting', name, `index.settings.${name}`, plainValue(value));
    ofMapping(plainValue(index.mapping), 'index.mapping', report);
  }
  for (const name of Object.keys(cluster.settings)) report('cluster', name, `cluster.settings.${name}`);
  for (const [key, value] of Object.entries(measure))
    if (value !== undefined && value !== false) report('measure', key, `measure.${key}`, value);
  for (const [key, value] of Object.entries(preload ?? {})) report('preload', key, `preload.${key}`, value);
  tasks.forEach((task, place) => ofTask(task, place, engine, report));
}

/**
 * Returns the keys and values in a cell's definition that may need features which some targets lack. `engine`: engine of the target. Some
 * requests differ between the engines.
 */
export function usesOf(own: CellDefinition, engine: Engine): Use[] {
  const uses: Use[] = [];
  visit(own, engine, (aspect, name, path, value) => uses.push({ aspect, name, path, value }));
  return uses;
}

/** Returns the names of the plugins that the cells need in this engine, sorted and without duplicates. */
export const pluginsNeeded = (cells: readonly CellDefinition[], engine: Engine): string[] =>
  [
    ...new Set(cells.flatMap((cell) => usesOf(cell, engine).flatMap((use) => pluginFor(use, engine) ?? []))),
  ].sort();

/**
 * Returns a problem for each feature that the cells use and the target lacks. Of several problems with the same path and value, only the
 * first is returned.
 */
export function missingFeatures(cells: readonly CellDefinition[], target: Offered): Problem[] {
  const problems = new Map<string, Problem>();
  for (const cell of cells)
    for (const use of usesOf(cell, target.engine)) {
      const missing = missingFeature(use, target);
      const key = `${use.path} ${String(use.value)}`;
      if (missing === undefined || problems.has(key)) continue;
      problems.set(key, { code: 'target.missing-feature', path: use.path, ...missing });
    }
  return [...problems.values()];
}

/**
 * Returns a problem for each feature that the target lacks. `visit`: a function that calls its argument for each used feature. Of several
 * problems with the same path, only the first is returned.
 */
function missingAmong(target: Offered, visit: (report: Report) => void): Problem[] {
  const problems = new Map<string, Problem>();
  visit((aspect, name, at, value) => {
    const missing = missingFeature({ aspect, name, value }, target);
    if (missing !== undefined && !problems.has(at))
      problems.set(at, { code: 'target.missing-feature', path: at, ...missing });
  });
  return [...problems.values()];
}

/**
 * Returns a problem for each feature that a request uses and the target lacks. `path`: path of the request in the definition. The paths of
 * the problems begin with it.
 */
export const missingForRequest = (request: WrittenRequest, path: string, target: Offered): Problem[] =>
  missingAmong(target, (report) => ofRequest(request, path, target.engine, report));

/**
 * Returns a problem for each feature that the body of a search uses and the target lacks. `path`: path of the body in the definition. The
 * paths of the problems begin with it.
 */
export const missingForSearch = (body: unknown, path: string, target: Offered): Problem[] =>
  missingAmong(target, (report) => new SearchUses(report).search(body, path));

/** A recorded HTTP request. */
export interface SentRequest {
  /** Path without the query string. */
  path: string;
  /** The parsed body; null without one. */
  body: unknown;
  /** The parsed lines of the body of an `_msearch`. */
  ndjson?: readonly unknown[];
}

/** Returns a problem for each feature that an HTTP request uses and the target lacks. */
export const missingForHttp = ({ path, body, ndjson }: SentRequest, target: Offered): Problem[] =>
  missingAmong(target, (report) => {
    report('path', path, 'path');
    const searches = new SearchUses(report);
    for (const search of searchesOfHttp({ path, ndjson }, { body, path: 'body', isWhole: true }))
      searches.search(search.body, search.path);
  });
