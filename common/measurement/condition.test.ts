import { holds, parseClaim, parseCondition } from './condition';

describe('a condition', () => {
  it.each([
    ['ingest.rejection_rate < 1%', 0.01],
    ['ingest.latency.p99 <= 2s', 2000],
    ['search.service_time.p99.9 < 500ms', 500],
    ['ingest.throughput >= 1_000', 1000],
    ['ingest.throughput > 1000/s', 1000],
    ['ingest.failed <= 0', 0],
    ['queries.top-15-organizations.service_time.p99 < 2s', 2000],
    ['queries.latency.latency.p50 < 2s', 2000],
    ['index.bytes_per_document < 1kb', 1024],
    ['index.field.client.geo.bytes_per_document < 20b', 20],
    ['index.segments <= 4', 4],
  ])('%s is read into the unit of its metric', (text, value) => {
    expect(parseCondition(text)).toMatchObject({ value });
  });

  it.each([
    'ingest.latency.p98 < 1s',
    'ingest.latency.p99 < 1',
    'ingest.rejection_rate < 0.01',
    'queries.top-15-organizations.throughput > 1',
    'queries.a.b.latency.p99 < 1s',
    'ingest.latency.p99 = 1s',
    'index.bytes_per_document < 100',
    'ingest.bytes_per_document < 1kb',
    '',
  ])('%p is not a condition, and the error contains what is allowed', (text) => {
    expect(parseCondition(text)).toHaveProperty('allowed');
  });

  it('is checked exactly at its bound', () => {
    const condition = (text: string): Parameters<typeof holds>[0] => {
      const parsed = parseCondition(text);
      if ('message' in parsed) throw new Error(parsed.message);
      return parsed;
    };
    expect(holds(condition('a.failed < 1'), 1)).toBe(false);
    expect(holds(condition('a.failed <= 1'), 1)).toBe(true);
    expect(holds(condition('a.failed > 1'), 1)).toBe(false);
    expect(holds(condition('a.failed >= 1'), 1)).toBe(true);
  });
});

describe('a claim', () => {
  it('has a relation, a range and a smallest change', () => {
    expect(parseClaim('ingest.throughput rises with a.b from 4 to 23 by at least 10%')).toMatchObject({
      relation: 'rises',
      factor: 'a.b',
      range: { from: '4', to: '23' },
      atLeast: 0.1,
    });
    expect(parseClaim('ingest.throughput stays with a.b')).toMatchObject({ range: null, atLeast: null });
  });

  it('may have a largest change, except with stays', () => {
    expect(parseClaim('ingest.throughput falls with a.b by at most 10%')).toMatchObject({
      atLeast: null,
      atMost: 0.1,
    });
    expect(parseClaim('ingest.throughput stays with a.b by at most 10%')).toHaveProperty('allowed');
  });

  it('is invalid without a relation', () => {
    expect(parseClaim('ingest.throughput depends on a.b')).toHaveProperty('allowed');
  });
});
