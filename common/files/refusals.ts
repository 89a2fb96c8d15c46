/** Explains why a file cannot be read as documents, as searches or as recorded requests, and which command makes it readable. */
import type { Problem } from '../problem';
import { LOG_FORMATS } from '../replay/formats/registry';
import type { ForeignText, Packing } from './bytes';
import type { FileKind, Obstacle, Recognised, TrafficKindOfFile, UnreadSearches } from './recognise';

/** A file that Dyno is asked to read. */
export interface NamedFile {
  /** Path of the file. */
  file: string;
  packing: Packing | null;
}

type Refusal = Pick<Problem, 'message' | 'allowed'>;

/** Returns a word of a shell command, in quotes if it needs them. */
const quoted = (word: string): string =>
  /^[\w./@%+=:,-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Returns the name of a command's output file, such as `shop.documents.ndjson` for `/data/shop.ndjson.gz`. `what`: what the file contains,
 * such as `documents`.
 */
function outputOf(file: string, what: string): string {
  const name = file
    .replace(/^.*[/\\]/s, '')
    .replace(/(?:\.(?:ndjson|jsonl|json|log|txt|csv|gz|zst|tar|tgz))+$/i, '');
  return quoted(`${name === '' ? 'new' : name}.${what}.ndjson`);
}

const UNPACK: Readonly<Record<Packing, string>> = { gzip: 'gzip -dc', zstd: 'zstd -dc' };

/**
 * Returns the shell command `tool FILE > OUTPUT`. If the file is compressed, the command unpacks it first. `what`: contents of the output,
 * as in {@link outputOf}.
 */
function command(tool: string, { file, packing }: NamedFile, what: string): string {
  const to = `> ${outputOf(file, what)}`;
  return packing === null
    ? `${tool} ${quoted(file)} ${to}`
    : `${UNPACK[packing]} < ${quoted(file)} | ${tool} ${to}`;
}

/**
 * Command that prints the documents of a body of `_bulk`. They are the lines after `index` and `create`. The line after `update` is only a
 * part of a document, and no line follows `delete`.
 */
export const STRIP_ACTIONS = `awk '!NF {next} d {if (k) print; d=0; next} /^[^"]*"delete"/ {next} {d=1; k = !/^[^"]*"update"/}'`;
/** Command that prints the searches of a body of `_msearch`. */
export const STRIP_HEADERS = `awk 'NF && ++n % 2 == 0'`;
export const HIT_SOURCES = `jq -c '._source'`;
export const ANSWER_SOURCES = `jq -c '.hits.hits[]._source'`;
export const ANSWER_HITS = `jq -c '.hits.hits[]'`;
export const ARRAY_ELEMENTS = `jq -c '.[]'`;
export const ONE_LINE_EACH = `jq -c .`;

/** Note about jq: versions before 1.7 round numbers that do not fit into 64-bit floating point. */
const JQ = ' (jq 1.7 or later keeps long numbers)';

/** Returns the message for a file that is not UTF-8 text. */
export function foreignRefusal(foreign: ForeignText, named: NamedFile): Refusal {
  if (foreign === 'tar') {
    const tool = { gzip: 'tar -xzOf', zstd: 'tar --zstd -xOf', none: 'tar -xOf' }[named.packing ?? 'none'];
    return {
      message: `is a tar archive; unpack the file in it with: ${command(tool, { ...named, packing: null }, 'unpacked')}`,
      allowed: 'a text file in UTF-8',
    };
  }
  if (foreign === 'binary')
    return { message: 'is not text: its first bytes are binary', allowed: 'a text file in UTF-8' };
  const tool = `iconv -f ${foreign} -t UTF-8`;
  return {
    message: `is ${foreign.startsWith('UTF-32') ? 'UTF-32' : 'UTF-16'} text; convert it with: ${command(tool, named, 'utf-8')}`,
    allowed: 'UTF-8',
  };
}

/** Returns the message for a file with a byte that is not UTF-8. Such a file is usually encoded in Windows-1252. */
export function invalidRefusal({ line, byte }: { line: number; byte: number }, named: NamedFile): Refusal {
  return {
    message: `is not UTF-8 (line ${line}, byte ${byte}); if it is Latin-1, convert it with: ${command('iconv -f WINDOWS-1252 -t UTF-8', named, 'utf-8')}`,
    allowed: 'UTF-8',
  };
}

const DOCUMENTS = 'a JSON document on each line';

/** Names of the kinds of files, for sentences. */
const NAMES: Readonly<Record<FileKind, string>> = {
  empty: 'an empty file',
  documents: 'documents',
  bulk: 'a body of _bulk',
  msearch: 'a body of _msearch',
  hits: 'exported hits',
  answer: 'an answer of Elasticsearch',
  'json-array': 'a JSON array',
  'pretty-json': 'pretty-printed JSON',
  'search-log': 'searches',
  traffic: 'recorded requests',
  'elasticsearch-log': 'the log of Elasticsearch',
  'access-log': 'an access log',
  commands: 'curl commands',
  table: 'a table',
  markup: 'XML or HTML',
  text: 'plain text',
  unsure: 'something else',
};

const TRAFFIC: Readonly<Record<TrafficKindOfFile, string>> = {
  dyno: 'recorded traffic',
  har: 'an HTTP archive (HAR)',
  gor: 'a file of GoReplay',
  'audit-log': 'an audit log',
};

/** Explains why recorded requests cannot be read as documents or searches (`wanted`), and how they can be used. */
const wrongTraffic = ({ traffic }: Recognised, { file }: NamedFile, wanted: string): string =>
  `is ${TRAFFIC[traffic ?? 'dyno']} with requests, not ${wanted}; show it with: dyno inspect ${quoted(file)}, and send its requests with a task replay`;

const READ_TRAFFIC =
  'a recording of dyno record, a HAR, a file of GoReplay, an audit log with request bodies, or a log of searches';

/** Explains why a file cannot be read as recorded requests. The file must contain neither recorded requests nor a log of searches. */
export const asTraffic = ({ kind }: Recognised): Refusal => ({
  message:
    kind === 'empty' || kind === 'unsure'
      ? `is ${NAMES[kind]}, not recorded requests`
      : `contains ${NAMES[kind]}, not recorded requests`,
  allowed: READ_TRAFFIC,
});

/** For each obstacle that makes the lines of a file unreadable as documents or searches: its description, and the tool that removes it. */
const OBSTACLES: Readonly<Record<Obstacle, { what: string; tool: string }>> = {
  requests: {
    what: 'contains requests in the format of Dev Tools, with a method and a path before each body; keep only the bodies with',
    tool: String.raw`awk '!/^[ \t]*(GET|POST|PUT|DELETE|HEAD|PATCH) / && !/^[ \t]*(#|\/\/)/'`,
  },
  'http-head': {
    what: 'begins with the headers of an HTTP response, as curl -i prints them; remove them with',
    tool: `sed '1,/^[[:space:]]*$/d'`,
  },
  commas: { what: 'has a comma at the end of its lines; remove them with', tool: `sed 's/,[[:space:]]*$//'` },
  separators: {
    what: 'is a JSON text sequence, with a record separator before each object; remove them with',
    tool: String.raw`awk '{gsub(/\036/, "")} NF'`,
  },
  several: {
    what: 'has several objects on a line; write each object on its own line with',
    tool: ONE_LINE_EACH,
  },
  'before-json': {
    what: 'has other text before the JSON object of each line; remove it with',
    tool: String.raw`awk 'match($0, /[{][ \t]*"/) {print substr($0, RSTART)}'`,
  },
  'before-text': {
    what: 'contains lines of a slow log with other text before each of them; remove it with',
    tool: String.raw`awk 'match($0, /\[[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ]/) {print substr($0, RSTART)}'`,
  },
};

/**
 * Explains why a file cannot be read, if it has an obstacle, or if it is JSON that does not have one object on each line. Undefined for
 * other files. `what`: what the file was to be read as, such as `documents`.
 */
export function wrongLines(
  { kind, obstacle }: Recognised,
  named: NamedFile,
  what: string,
): string | undefined {
  if (obstacle !== undefined) {
    const { what: has, tool } = OBSTACLES[obstacle];
    return `${has}: ${command(tool, named, what)}${obstacle === 'several' ? JQ : ''}`;
  }
  if (kind === 'json-array')
    return `is a JSON array; write each element on its own line with: ${command(ARRAY_ELEMENTS, named, what)}${JQ}`;
  if (kind === 'pretty-json')
    return `is pretty-printed JSON over several lines; write each object on one line with: ${command(ONE_LINE_EACH, named, what)}${JQ}`;
  return undefined;
}

/** Explains why a file cannot be read as documents. Null if it can be read, or if errors about single lines are more helpful. */
export function asDocuments(found: Recognised, named: NamedFile): Refusal | null {
  const { kind, format } = found;
  const refuse = (message: string): Refusal => ({ message, allowed: DOCUMENTS });
  const wrong = wrongLines(found, named, 'documents');
  if (wrong !== undefined) return refuse(wrong);
  switch (kind) {
    case 'bulk':
      return refuse(
        `is a bulk file: its action lines would be stored as documents; strip them with: ${command(STRIP_ACTIONS, named, 'documents')} (updates and deletions contain no document)`,
      );
    case 'msearch':
      return refuse('is a body of _msearch: it contains headers and searches in turn, not documents');
    case 'hits':
      if (found.lacksSource)
        return refuse('contains hits without _source, so it has no documents; export them with _source');
      return refuse(
        `contains exported hits, in which only _source is the document; extract it with: ${command(HIT_SOURCES, named, 'documents')}${JQ}`,
      );
    case 'answer':
      return refuse(
        found.hasHits
          ? `is the answer to a search; extract the documents of its hits with: ${command(ANSWER_SOURCES, named, 'documents')}${JQ}`
          : 'is an answer of Elasticsearch without documents',
      );
    case 'traffic':
      // Each line of an audit log is a JSON document.
      return found.traffic === 'audit-log' ? null : refuse(wrongTraffic(found, named, 'documents'));
    case 'access-log':
      return { message: 'is an access log, not JSON documents', allowed: `${DOCUMENTS}, or format: lines` };
    case 'table':
      return {
        message: 'is a table of separated values, not JSON documents',
        allowed: `${DOCUMENTS}, or format: lines for its lines as text`,
      };
    case 'markup':
      return refuse('is XML or HTML, not JSON documents');
    case 'unsure':
      // Such a file is refused, because action lines that are stored as documents cannot be distinguished from real documents later.
      return found.could?.includes('bulk')
        ? refuse(
            `may be a bulk file: every other line is an object with only an action such as index; if it is one, strip the action lines with: ${command(STRIP_ACTIONS, named, 'documents')} (if all lines are documents, add another key to them)`,
          )
        : null;
    case 'search-log':
      return format === 'slow-log-text' || format === 'query-log'
        ? {
            message: 'is a log of searches as text, not JSON documents',
            allowed: `${DOCUMENTS}, or format: lines`,
          }
        : null;
    default:
      return null;
  }
}

/** Explains why searches in this form cannot be read. If possible, the text contains the command that makes them readable. */
function unread(searches: UnreadSearches, named: NamedFile): string {
  if (searches.as === 'language') return 'contains queries of ES|QL or SQL, which a replay does not send';
  if (searches.as === 'text')
    return `contains searches whose body is a string; make it an object with: ${command(`jq -c '.body |= fromjson'`, named, 'searches')}${JQ}`;
  const { keys } = searches;
  const isPlain = keys.every((key) => /^[\w@.-]+$/.test(key));
  const remove = `jq -c 'del(${keys.map((key) => `.["${key}"]`).join(', ')})'`;
  return (
    `contains searches in body, next to keys that a replay does not know (${keys.slice(0, 10).join(', ')})` +
    (isPlain ? `; remove them with: ${command(remove, named, 'searches')}${JQ}` : '')
  );
}

const FORMATS = LOG_FORMATS.join(', ');

/** Explains why a file cannot be read as searches. Dyno must have recognised no format of searches in the file. */
export function asSearches(found: Recognised, named: NamedFile): Refusal {
  const { kind } = found;
  const refuse = (message: string, allowed = FORMATS): Refusal => ({ message, allowed });
  const wrong = wrongLines(found, named, 'searches');
  if (wrong !== undefined) return refuse(wrong);
  if (found.searches !== undefined) return refuse(unread(found.searches, named));
  switch (kind) {
    case 'documents':
      return refuse('contains documents, not searches that a replay knows');
    case 'bulk':
      return refuse('is a bulk file: it contains documents to write, not searches');
    case 'msearch':
      if (found.hasTemplates)
        return refuse(
          'is a body of _msearch/template: it contains templates and parameters, but a replay sends searches; render the templates with POST _render/template and write one search on each line',
        );
      return refuse(
        `is a body of _msearch with headers and searches in turn; strip the headers with: ${command(STRIP_HEADERS, named, 'searches')}`,
      );
    case 'hits':
      if (found.lacksSource)
        return refuse('contains hits without _source, so it has no searches of a slow log');
      return refuse('contains exported hits that are documents, not searches of a slow log');
    case 'answer':
      return refuse(
        found.hasHits
          ? `is the answer to a search; if its hits come from a slow log, write each of them on its own line with: ${command(ANSWER_HITS, named, 'hits')}${JQ}`
          : 'is an answer of Elasticsearch, not searches',
      );
    case 'elasticsearch-log':
      return refuse(
        'begins with the server log of Elasticsearch, without a search of the slow log; if searches follow, set the format of the log',
      );
    case 'traffic':
      return refuse(wrongTraffic(found, named, 'a log of searches'));
    case 'access-log':
      return refuse(
        'is an access log of a web server, which contains no bodies of requests; record the traffic with dyno record, or use the slow log of the cluster',
      );
    case 'commands':
      return refuse(
        'contains curl commands, not recorded requests; run them against dyno record, which records what they send',
      );
    case 'table':
    case 'markup':
      return refuse(`is ${NAMES[kind]}, not a log of searches`);
    case 'unsure':
      return refuse(
        `may be of several kinds (${(found.could ?? []).map((each) => NAMES[each]).join(', ')}): set the format of the log`,
      );
    default:
      return refuse('Dyno does not recognise the format of its first lines: set the format of the log');
  }
}
