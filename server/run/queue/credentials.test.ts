import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { runError } from '../../../common/problem';
import { askTarget, CredentialWatch, verdictOfResults, type Verdict } from './credentials';

const ACCEPTED: Verdict = { kind: 'accepted' };
const NONE: Verdict = { kind: 'none' };
const REFUSED: Verdict = { kind: 'refused', why: 'revoked' };

/**
 * Passes the verdicts to a {@link CredentialWatch} at intervals of two seconds. Returns the time in s at which the credentials first count
 * as lost; undefined if they never do.
 */
function lostAfter(verdicts: Verdict[]): number | undefined {
  const watch = new CredentialWatch();
  const at = verdicts.findIndex((verdict, i) => watch.see(verdict, i * 2000) !== '');
  return at < 0 ? undefined : at * 2;
}

const times = (count: number, verdict: Verdict): Verdict[] => Array.from({ length: count }, () => verdict);

test('credentials are lost when a cluster has refused them for five seconds', () => {
  expect(lostAfter([ACCEPTED, ...times(5, REFUSED)])).toBe(8);
});

test('a refusal that passes is not a loss', () => {
  expect(lostAfter([ACCEPTED, REFUSED, REFUSED, ACCEPTED, REFUSED, REFUSED, ACCEPTED])).toBeUndefined();
});

test('a cluster that comes back from an outage may refuse for a minute', () => {
  expect(lostAfter([ACCEPTED, NONE, ...times(20, REFUSED), ACCEPTED])).toBeUndefined();
  expect(lostAfter([ACCEPTED, NONE, ...times(40, REFUSED)])).toBe(64);
});

const answering = (status: number, body: unknown = {}): ElasticsearchClient => ({
  request: <T>() => Promise.resolve({ status, body: body as T }),
});

test('a target without security, or that forbids the question, accepts the credentials', async () => {
  for (const status of [200, 400, 403, 404, 405])
    expect(await askTarget(answering(status))).toEqual({ kind: 'accepted' });
});

test('a target that is overloaded, starting or away says nothing about the credentials', async () => {
  for (const status of [429, 503]) expect(await askTarget(answering(status))).toEqual({ kind: 'none' });
  const away = { request: () => Promise.reject(runError('elasticsearch.unreachable', '', 'away')) };
  expect(await askTarget(away)).toEqual({ kind: 'none' });
});

test('a refusal quotes why Elasticsearch did not accept an API key', async () => {
  const reason = 'unable to authenticate with provided credentials and anonymous access is not allowed';
  const error = {
    type: 'security_exception',
    reason,
    additional_unsuccessful_credentials: 'API key: api key [x] has been invalidated',
  };
  expect(await askTarget(answering(401, { error, status: 401 }))).toEqual({
    kind: 'refused',
    why: `the cluster does not accept these credentials: ${reason}: API key: api key [x] has been invalidated`,
  });
});

test('only an answer of the results cluster about the credentials counts as a refusal', async () => {
  const rejecting = (code: string) => verdictOfResults(Promise.reject(runError(code, '', 'why')));
  expect(await rejecting('results.unauthorised')).toEqual({ kind: 'refused', why: 'why' });
  expect(await rejecting('results.refused')).toEqual({ kind: 'none' });
  expect(await verdictOfResults(Promise.resolve())).toEqual({ kind: 'accepted' });
});
