import type { FormField, FormRow } from '../fields/form';
import type { ExecutorDescription } from './executor';
import {
  drivenBy,
  executorJob,
  executorNamed,
  executorProblems,
  EXECUTORS,
  executorSchema,
  isOpen,
  mostClients,
  requestsWithin,
} from './registry';

const SURROUNDINGS = { index: { settings: {} } };
const ALL: readonly ExecutorDescription[] = EXECUTORS;

/** Reads an executor with its defaults. */
const read = (executor: object): object => executorSchema.parse(executor);

const keysOf = (row: FormRow): string[] =>
  'rows' in row ? row.rows.flatMap(keysOf) : 'kind' in row ? keysIn(row) : row.flatMap(keysIn);

function keysIn(field: FormField): string[] {
  if (field.kind === 'either') return field.options.map((option) => option.field.key);
  return 'key' in field && field.key !== undefined ? [field.key] : [];
}

describe.each(ALL)('$name', ({ name, first, form, vary, schema, loop, sentence }) => {
  it('accepts what the form writes when it is chosen', () => {
    expect(executorSchema.safeParse({ [name]: first }).error).toBeUndefined();
  });

  it('has a form for all of its keys', () => {
    const shape = (schema as unknown as { shape: object }).shape;
    expect(form.flatMap(keysOf).sort()).toEqual(Object.keys(shape).sort());
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(vary === undefined ? [] : [vary.key]));
  });

  it('becomes plain data with clients and a loop', () => {
    const job = executorJob(read({ [name]: first }), SURROUNDINGS);
    expect(structuredClone(job)).toEqual(job);
    expect(job.kind).toBe(name);
    expect(mostClients(job)).toBeGreaterThan(0);
    expect(drivenBy(job).loop).toBe(loop);
  });

  it('describes itself in the plan', () => {
    expect(sentence(executorNamed(name).schema.parse(first))).toMatch(/^[a-z0-9].*[^.]$/);
  });
});

test.each([
  ['constant-rate', { rate: 2.5 }, 4000, 10],
  ['constant-rate', { every: '5s' }, 60_000, 12],
  ['ramping-rate', { start: 0, stages: [{ rate: 10, over: '10s' }] }, 12_000, 70],
  ['ramping-rate', { start: 4, stages: [{ rate: 8, over: '2s' }] }, 1000, 5],
])('%s of %j sends in %i ms %i requests', (name, given, ms, requests) => {
  expect(requestsWithin(read({ [name]: given }), SURROUNDINGS, ms)).toBeCloseTo(requests, 9);
});

test('the number of requests of clients, a log or a search is unknown in advance', () => {
  const limits = ['latency.p99 < 1s'];
  for (const executor of [
    { 'constant-clients': { clients: 3 } },
    { recorded: {} },
    { 'highest-rate': { start: 1, limits } },
  ])
    expect(requestsWithin(read(executor), SURROUNDINGS, 1000)).toBeNull();
});

test.each([
  ['constant-rate', true],
  ['ramping-rate', true],
  ['recorded', true],
  ['constant-clients', false],
  ['ramping-clients', false],
  ['highest-rate', false],
])('%s has a fixed rate, whatever the target accepts: %s', (name, isOffered) => {
  expect(isOpen({ [name]: {} })).toBe(isOffered);
});

test('problems that the schemas cannot find are reported for their task', () => {
  const tasks = [
    { search: {}, executor: read({ recorded: {} }) },
    { replay: {}, executor: read({ recorded: {} }) },
    { search: {}, executor: read({ 'ramping-clients': { stages: [{ clients: 0, over: '1s' }] } }) },
  ];
  expect(executorProblems(tasks).map(({ code, path }) => `${code} at ${path}`)).toEqual([
    'definition.recorded-without-replay at tasks[0].executor.recorded',
    'definition.no-load at tasks[2].executor',
  ]);
});
