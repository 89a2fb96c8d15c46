import { API } from '.';
import { readPart } from './problems';
import { thrownProblems } from '../testing/problems';

test('every problem is reported with its path, the found value and the allowed ones', () => {
  const problems = thrownProblems(() =>
    readPart(API.listRuns.query, { state: 'happy', limit: '0' }, 'query'),
  );
  expect(problems).toEqual([
    {
      code: 'request.wrong-value',
      path: 'query.state',
      message: expect.any(String),
      found: '"happy"',
      allowed: 'queued, running, waiting, completed, failed, cancelled, interrupted',
    },
    {
      code: 'request.out-of-range',
      path: 'query.limit',
      message: 'out of range',
      found: '0',
      allowed: 'at least 1',
    },
  ]);
});

test('a missing value gets its default', () => {
  expect(readPart(API.listRuns.query, {}, 'query')).toEqual({ limit: 100 });
});

test('a missing body is a problem of the whole request', () => {
  expect(thrownProblems(() => readPart(API.compareRuns.body, undefined, ''))).toMatchObject([
    { code: 'request.missing', path: '', message: 'is missing', allowed: 'an object' },
  ]);
});

test('a value that may be a secret is never included in an error', () => {
  const settings = { id: 'a', title: 'A', ca: null, verifyCertificates: true };
  for (const wrong of [
    { ...settings, hosts: ['a'], credentials: 'geheim' },
    { ...settings, hosts: ['a'], credentials: { kind: 'basik', username: 'u', password: 'geheim' } },
    { ...settings, hosts: ['a'], credentials: { kind: 'basic', username: '', password: 'geheim' } },
    { ...settings, hosts: ['a'], credentials: { kind: 'basic', username: 'u', passwort: 'geheim' } },
    { ...settings, hosts: 'http://u:geheim@a', credentials: { kind: 'none' } },
    { ...settings, hosts: ['a'], credentials: { kind: 'none' }, password: 'geheim' },
    { ...settings, hosts: ['a'], credentials: { kind: 'none' }, ca: ['geheim'] },
    'geheim',
    ['geheim'],
  ]) {
    const problems = thrownProblems(() => readPart(API.createTarget.body, wrong, ''));
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain('geheim');
  }
});
