/** Tasks that send requests to small HTTP servers, for tests in which these servers misbehave in known ways. */
import { searchJob } from '../../../common/tasks/search';
import type { TaskJob } from '../../../server/load/contract';
import { accepted, FOUND, type Behaviour } from './load';

export const ingest = (
  more: Partial<TaskJob> = {},
  bulk: { docs: number } | { bytes: number } = { docs: 50 },
): TaskJob => ({
  name: 'ingest',
  operation: {
    kind: 'ingest',
    source: { kind: 'generator', generator: 'systembase' },
    parse: null,
    bulk,
    retries: { attempts: 3, baseMs: 2, maxMs: 20 },
  },
  executor: { kind: 'constant-clients', clients: 3, thinkTimeMs: 0 },
  ...more,
});

export const search = (more: Partial<TaskJob> = {}): TaskJob => ({
  name: 'search',
  operation: searchJob(
    { name: 'often', weight: 3, body: { size: 0 }, params: { request_cache: false } },
    { name: 'rare', body: { size: 1 } },
  ),
  executor: { kind: 'constant-rate', perSecond: 200, maxClients: 20 },
  ...more,
});

export const accept: Behaviour = (documents, request) =>
  request.url!.includes('_search')
    ? { status: 200, body: FOUND }
    : { status: 200, body: accepted(documents.length) };
