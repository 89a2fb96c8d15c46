/**
 * Reads the lines of audit logs.
 *
 * - Elasticsearch 6.5 and later, `*_audit.json`, with `xpack.security.audit.logfile.events.emit_request_body`: the event
 *   `authentication_success` of type `rest` contains the request. Source: elastic.co/docs/reference/elasticsearch/elasticsearch-audit-events
 * - OpenSearch and Open Distro, with `resolve_bulk_requests: false` and `log_request_body: true`: events of the layer REST. Source:
 *   docs.opensearch.org/latest/security/audit-logs/field-reference
 */
import { parsePlain } from '../json/exact';
import { isObject } from '../replay/constructs';
import { objectIn } from '../replay/formats/format';
import { decoded } from './kind';

export interface AuditedRequest {
  as: 'request';
  /** Time in ISO 8601. */
  time: string;
  method: string;
  path: string;
  query: string;
  contentType: string;
  /** Body of the request. Undefined if the event contains none. */
  body: string | undefined;
  /** Text that the log contains instead of the body, because the cluster could not log the body. Absent otherwise. */
  insteadOfBody?: string;
  /** Id of the request; '' if the event has no id. All events about the same request have the same id. */
  id: string;
  /** Address of the client, with its port if known. */
  address: string;
  /** Address of the client from the header `x-forwarded-for`; '' if the request had no such header. */
  forwardedFor: string;
}

export type AuditLine =
  | AuditedRequest
  /** An event of another kind, such as `access_granted`. `name`: name of the kind. */
  | { as: 'event'; name: string }
  | { as: 'malformed'; why: string };

type Json = Readonly<Record<string, unknown>>;

/**
 * Matches texts that a cluster logs instead of a body: because the event was logged before a large body had arrived (Elasticsearch), or
 * because the body could not be converted to JSON.
 */
const INSTEAD_OF_BODY = /^(?:Request body had not been received\b|Invalid Format: |ERROR: Unable to )/;

/** Matches the beginning of JSON whose quotes were escaped twice, as some log shippers do. */
const ESCAPED_TWICE = /^\s*\{(?:\s|\\n)*\\"/;

function bodyOf(value: unknown): Pick<AuditedRequest, 'body' | 'insteadOfBody'> {
  if (typeof value !== 'string') return { body: undefined };
  if (INSTEAD_OF_BODY.test(value)) return { body: undefined, insteadOfBody: value.slice(0, 100) };
  if (!ESCAPED_TWICE.test(value)) return { body: value };
  try {
    return { body: parsePlain(`"${value}"`) as string };
  } catch {
    return { body: value };
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Returns the JSON object of a line. OpenSearch writes time, level and logger before the object, and log shippers put the line into
 * `message`.
 */
function entryOf(line: string): Json | undefined {
  const begin = line.startsWith('[') ? line.slice(0, 500).search(/\{\s*"/) : 0;
  const written = begin < 0 ? undefined : objectIn(line.slice(begin));
  // A hit of an exported index. By default, OpenSearch writes its audit log to an index.
  const source = written?.['_source'];
  const entry = isObject(source) ? source : written;
  const event = entry?.['event'];
  const original = isObject(event) ? event['original'] : entry?.['event.original'];
  const shipped = [entry?.['message'], original, entry?.['log']].map((value) => text(value).trim());
  return isAudit(entry) ? entry : (shipped.map(objectIn).find(isAudit) ?? entry);
}

const isElasticsearch = (entry: Json): boolean =>
  typeof entry['event.action'] === 'string' &&
  (entry['type'] === 'audit' ||
    ['rest', 'transport', 'ip_filter', 'security_config_change'].includes(text(entry['event.type'])));

const isOpenSearch = (entry: Json): boolean =>
  typeof entry['audit_category'] === 'string' && entry['audit_format_version'] !== undefined;

const isAudit = (entry: Json | undefined): boolean =>
  entry !== undefined && (isElasticsearch(entry) || isOpenSearch(entry));

/** Returns whether a line belongs to an audit log. `line`: the line without white space at its ends. */
export const isAuditLine = (line: string): boolean =>
  /audit_category|event\.action/.test(line) && isAudit(entryOf(line));

export function readAuditLine(line: string): AuditLine {
  const entry = entryOf(line);
  if (entry === undefined) return { as: 'malformed', why: 'it is not a JSON object' };
  if (isElasticsearch(entry)) return readElasticsearch(entry);
  return isOpenSearch(entry) ? readOpenSearch(entry) : { as: 'malformed', why: 'it is not an audit event' };
}

function readElasticsearch(entry: Json): AuditLine {
  const action = text(entry['event.action']);
  if (action !== 'authentication_success' || entry['event.type'] !== 'rest')
    return { as: 'event', name: action };
  const method = text(entry['request.method']);
  const [path = '', query = ''] = text(entry['url.path']).split(/\?(.*)/s);
  // Versions before 7.0 do not log the method.
  if (method === '' || !path.startsWith('/'))
    return { as: 'malformed', why: 'it has no request.method or no url.path' };
  return {
    ...{ as: 'request', method, path, query: text(entry['url.query']) || query, contentType: '' },
    time: text(entry['timestamp']) || text(entry['@timestamp']),
    ...bodyOf(entry['request.body']),
    id: text(entry['request.id']),
    address: text(entry['origin.address']),
    forwardedFor: text(entry['x_forwarded_for']),
  };
}

function readOpenSearch(entry: Json): AuditLine {
  const category = text(entry['audit_category']);
  const isRequest = category === 'AUTHENTICATED' || category === 'REST_REQUEST';
  if (!isRequest || entry['audit_request_layer'] !== 'REST') return { as: 'event', name: category };
  const [method, path] = [text(entry['audit_rest_request_method']), text(entry['audit_rest_request_path'])];
  if (method === '' || !path.startsWith('/'))
    return { as: 'malformed', why: 'it has no audit_rest_request_method or no audit_rest_request_path' };
  const headers = entry['audit_rest_request_headers'];
  return {
    ...{ as: 'request', method, path, query: queryOf(entry['audit_rest_request_params'], path) },
    contentType: headerIn(headers, 'content-type'),
    time: text(entry['@timestamp']) || text(entry['audit_utc_timestamp']),
    ...bodyOf(entry['audit_request_body']),
    id: '',
    address: text(entry['audit_request_remote_address']),
    forwardedFor: headerIn(headers, 'x-forwarded-for'),
  };
}

/** Parameters that are parts of paths. */
const IN_PATHS = ['index', 'type', 'id', 'scroll_id'];

/**
 * Returns the query string from the parameters in the log. OpenSearch also logs parameters that are a part of the path; these are left out.
 */
function queryOf(params: unknown, path: string): string {
  if (typeof params !== 'object' || params === null) return '';
  const segments = new Set(path.split('/').map(decoded));
  return Object.entries(params)
    .filter(([, value]) => typeof value === 'string')
    .filter(([key, value]) => !IN_PATHS.includes(key) || !segments.has(value as string))
    .map(([key, value]) =>
      value === ''
        ? encodeURIComponent(key)
        : `${encodeURIComponent(key)}=${encodeURIComponent(value as string)}`,
    )
    .join('&');
}

function headerIn(headers: unknown, name: string): string {
  if (typeof headers !== 'object' || headers === null) return '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] as unknown;
  return Array.isArray(value) ? text(value[0]) : text(value);
}
