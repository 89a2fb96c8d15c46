/** Reads audit logs with request bodies, which `common/traffic/audit-line.ts` describes. They contain no responses. */
import { readAuditLine, type AuditedRequest } from '../../../common/traffic/audit-line';
import { trafficKind } from '../../../common/traffic/kind';
import { inputError, type DynoError } from '../../../common/problem';
import type { Losses } from '../../../common/traffic/loss';
import { logLines } from './log-lines';
import {
  hasLines,
  isCutOff,
  needsBody,
  timeUsOf,
  withoutPort,
  type ForeignReader,
  type Observed,
} from './observed';

/** Number of request ids that are remembered to find repeated events. All events of a request are close to each other in the log. */
const MOST_IDS = 100_000;

export const auditLog: ForeignReader<'audit-log'> = {
  format: 'audit-log',
  async *read(file, losses) {
    const ids = new Set<string>();
    const seen = { bodies: 0, without: 0 };
    for await (const { text, number } of logLines(file, 'slow-log')) {
      const line = readAuditLine(text);
      if (line.as === 'malformed') losses.add('malformed', 1, `line ${number}: ${line.why}`);
      else if (line.as === 'event') losses.add('other-event', 1, line.name);
      else if (line.id !== '' && ids.has(line.id)) losses.add('repeated', 1);
      else {
        if (line.id !== '') remember(ids, line.id);
        if (line.body !== undefined || line.insteadOfBody !== undefined) seen.bodies += 1;
        else if (line.method !== 'GET' && line.method !== 'HEAD' && line.method !== 'DELETE')
          seen.without += 1;
        if (seen.bodies === 0 && seen.without === MANY) throw withoutBodies(file);
        const request = observed(line, number, losses);
        if (request !== null) yield [request];
      }
    }
    if (seen.bodies === 0 && seen.without > 0) throw withoutBodies(file);
  },
};

/**
 * A log is refused as a log without bodies if the first this many requests have no body. A replayed search without its body would find all
 * documents.
 */
const MANY = 1000;

const withoutBodies = (file: string): DynoError =>
  inputError(
    'traffic.no-bodies',
    file,
    'is an audit log without the bodies of requests; set xpack.security.audit.logfile.events.emit_request_body to true and add authentication_success to events.include (OpenSearch: log_request_body), then record again',
  );

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size <= MOST_IDS) return;
  for (const oldest of ids) {
    ids.delete(oldest);
    return;
  }
}

/**
 * Returns the request in a line of the log. `number`: number of the line, from 1. If the request cannot be replayed, counts a loss and
 * returns null.
 */
function observed(line: AuditedRequest, number: number, losses: Losses): Observed | null {
  const { time, method, path, query, insteadOfBody, address, forwardedFor } = line;
  const body = line.body === undefined ? null : Buffer.from(line.body);
  const timeUs = timeUsOf(time);
  const kind = trafficKind(method, path);
  if (Number.isNaN(timeUs)) losses.add('malformed', 1, `line ${number}: its timestamp is not a time`);
  else if (insteadOfBody !== undefined) losses.add('no-body', 1, `${method} ${path}: ${insteadOfBody}`);
  else if ((body === null || body.length === 0) && needsBody(kind))
    losses.add('no-body', 1, `${method} ${path}`);
  else if (body !== null && isCutOff(kind, body)) losses.add('cut-body', 1, `${method} ${path}`);
  else {
    const client = withoutPort((forwardedFor.split(',')[0] ?? '').trim() || address);
    const ownType = hasLines(kind) ? 'application/x-ndjson' : 'application/json';
    return {
      ...{ timeUs, method, path, query },
      // Elasticsearch does not log the content type.
      contentType: line.contentType || (body === null ? '' : ownType),
      body: body?.length === 0 ? null : body,
      ...(client === '' ? {} : { client }),
      // An address without a port identifies only the client, and a client may use several connections.
      connection: withoutPort(address) === address ? '' : address,
      answer: null,
    };
  }
  return null;
}
