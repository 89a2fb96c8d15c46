import { writeFileSync } from 'node:fs';
import { madeFolder } from '../../traffic-file/testing/made-records';
import { writeShop } from '../../traffic/inspect/testing/made-traffic';
import type { Console } from '../terminal/console';
import { inspect, type InspectOptions } from './inspect';

const at = madeFolder();
const OPTIONS: InspectOptions = { type: [], everyShard: false, rewrite: false, json: false };

async function printed(file: string, options: Partial<InspectOptions> = {}): Promise<string> {
  const lines: string[] = [];
  const say = (text: string): void => void lines.push(text);
  const console: Console = { print: say, say, warn: say, interactive: false, colour: false, width: 100 };
  await inspect(file, { ...OPTIONS, ...options }, console);
  return lines.join('\n');
}

test('recorded requests of other tools are shown too', async () => {
  const event = {
    ...{ type: 'audit', 'event.type': 'rest', 'event.action': 'authentication_success' },
    ...{ timestamp: '2026-11-20T10:00:00,000Z', 'request.method': 'POST', 'url.path': '/shop/_search' },
    'request.body': '{"size":1}',
  };
  writeFileSync(at('audit.json'), `${JSON.stringify(event)}\n`);
  expect(await printed(at('audit.json'))).toContain('recorded traffic, format audit-log');
});

test('recorded traffic is shown as a survey', async () => {
  await writeShop(at('shop.traffic.gz'));
  const text = await printed(at('shop.traffic.gz'));
  expect(text).toContain('recorded traffic, format dyno');
  expect(text).toContain('50% reads, 25% writes with 100 documents, 25% other requests.');
  expect(text).toMatch(/#4\s+POST \/shop\/_search\s+100\s+25%/);
  expect(text).toMatch(/#4\s+\{query: \{match: \{title: text\}\}\}/);
  expect(text).toMatch(
    /What a replay leaves out[\s\S]*cluster\s+100\s+25%\s+it administers or reads the cluster/,
  );
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
});

test('--json prints the whole survey, and --lines limits the requests', async () => {
  await writeShop(at('json.traffic.gz'));
  const whole = JSON.parse(await printed(at('json.traffic.gz'), { json: true })) as Record<string, unknown>;
  expect(whole).toMatchObject({ format: 'dyno', ended: true, survey: { requests: 400 }, losses: [] });
  const part = await printed(at('json.traffic.gz'), { lines: 8 });
  expect(part).toContain('Warning: the file has more requests');
  expect(part).toContain('8 requests from');
});

test('options for logs of searches are refused for traffic', async () => {
  await writeShop(at('options.traffic.gz'));
  await expect(printed(at('options.traffic.gz'), { type: ['product'], rewrite: true })).rejects.toMatchObject(
    {
      problems: [{ path: '--type' }, { path: '--rewrite' }],
    },
  );
});

test('a log of searches is shown with its shapes and repeated searches, and as JSON', async () => {
  const line = (second: number): string => `${second}.000|product|{"query":{"match_all":{}}}\n`;
  writeFileSync(at('searches.log'), line(1_700_000_000) + line(1_700_000_001));
  const text = await printed(at('searches.log'));
  expect(text).toContain('2 would be sent');
  expect(text).toContain('A cache could answer 50% of the reads');
  expect(text).toMatch(/#1\s+POST \/_search\s+2\s+100%/);
  expect(await printed(at('searches.log'), { type: ['product'] })).not.toContain('A cache could');
  expect(JSON.parse(await printed(at('searches.log'), { json: true }))).toMatchObject({
    format: 'query-log',
    log: { account: { sent: 2 } },
    survey: { requests: 2 },
  });
});

test('files of other tools are shown like recordings', async () => {
  writeFileSync(
    at('traffic.gor'),
    [
      '1 a76bf3a1c0a8011f 1795780800000000000\nGET /shop/_search?q=a HTTP/1.1\r\nHost: es\r\n\r\n\n\u{1F435}\u{1F648}\u{1F649}\n',
      '2 a76bf3a1c0a8011f 1795780800005000000 5000000\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}\n\u{1F435}\u{1F648}\u{1F649}\n',
    ].join(''),
  );
  const text = await printed(at('traffic.gor'));
  expect(text).toContain('recorded traffic, format gor');
  expect(text).toMatch(/#1\s+GET \/shop\/_search\?q\s+1\s+100%/);
});

test('a log whose format only the option names is shown without shapes', async () => {
  writeFileSync(at('odd.log'), 'a comment\nanother one\n1700000000.000|product|{"query":{"match_all":{}}}\n');
  const text = await printed(at('odd.log'), { format: 'query-log' });
  expect(text).toContain('1 would be sent');
  expect(text).not.toContain('shapes');
});
