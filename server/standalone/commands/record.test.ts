import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RecordCounts } from '../../traffic/record/recorder';
import { connectionsWithinLimit, summary } from './record';

const COUNTS: RecordCounts = {
  ...{ connections: 5, recordedConnections: 4, openConnections: 0, failedConnections: 0, lastFailure: null },
  ...{ relayedBytes: 2048, recorded: 120, dropped: 3, unread: 2, redacted: 0, withoutFacts: 0 },
  ...{ fileBytes: 1024, files: ['a.traffic.gz', 'a.2.traffic.gz'], cores: 0.25 },
  costs: { p50Us: 100, p99Us: 2300, chunks: 240 },
};

test('the summary shows counts, cost and files', () => {
  expect(summary(COUNTS, 60_000)).toEqual([
    'Recorded 120 requests in 1m 00s, 2 per second.',
    '3 dropped, because memory and disk had no room. 2 unread: incomplete, or not HTTP/1.1.',
    '5 connections, 4 of them recorded; 2 KB passed on.',
    'Cost: each piece was passed on within 0.1 ms (p50) and 2.3 ms (p99); 0.25 cores.',
    'a.traffic.gz',
    'a.2.traffic.gz',
    '1 KB in 2 files. Next: dyno inspect a.traffic.gz',
  ]);
});

test('the summary shows removed credentials, and why connections failed', () => {
  const counts = { ...COUNTS, redacted: 1, failedConnections: 2, lastFailure: 'connect EMFILE' };
  const text = summary(counts, 60_000).join('\n');
  expect(text).toContain('1 request without a credential in the query, which is never stored.');
  expect(text).toContain('2 connections failed (last: connect EMFILE).');
});

test('the limit of open files bounds the connections', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-limits-'));
  try {
    const file = path.join(folder, 'limits');
    const line = 'Max open files            1024                 524288               files     ';
    writeFileSync(
      file,
      `Limit                     Soft Limit           Hard Limit           Units     \n${line}\n`,
    );
    expect(await connectionsWithinLimit(file)).toBe(480);
    writeFileSync(file, line.replace('1024', '10'));
    expect(await connectionsWithinLimit(file)).toBe(1);
    expect(await connectionsWithinLimit(path.join(folder, 'none'))).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
