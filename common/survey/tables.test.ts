import { layTable } from '../report/render/text-layout';
import { Survey } from './survey';
import { shapesTable, slowestTable, surveyFacts, surveyTables } from './tables';
import { madeRecord } from './testing/made-records';

const START = Date.UTC(2026, 10, 27, 12);

function made(): ReturnType<Survey['result']> {
  const survey = new Survey(START);
  for (let at = 0; at < 600; at += 1)
    survey.add(
      madeRecord('POST /shop/_search', {
        text: `{"query":{"term":{"brand":"b${at % 300}"}}}`,
        at: at * 100_000,
        connection: at % 3,
      }),
    );
  for (let at = 0; at < 200; at += 1)
    survey.add(madeRecord('POST /_bulk', { text: '{"index":{"_index":"a"}}\n{}\n', ms: 50, at: at * 1000 }));
  survey.add(madeRecord('DELETE /shop', { at: 5 }));
  return survey.result();
}

test('the facts name the requests, the rate, the share of writes, repeated reads and what is left out', () => {
  expect(surveyFacts(made())).toEqual([
    '801 requests from 2026-11-27 12:00 UTC, 1m 00s, 13.4 requests per second on average, at most 211 (over 1s).',
    '74.9% reads, 25% writes with 200 documents, 0.125% other requests.',
    '3 connections, 1 client, 0.217 requests in flight on average, p50 5 ms.',
    'A cache could answer 50% of the reads: they repeat an earlier read with the same path, query and body.',
    'A replay leaves out 0.125% of the requests.',
  ]);
  expect(surveyFacts(new Survey(START).result())).toEqual(['The file contains no request.']);
});

test('the tables fit in a terminal', () => {
  const lines = surveyTables(made()).flatMap((table) => layTable(table, 100, (text) => text));
  expect(lines.every((line) => line.length <= 100)).toBe(true);
  expect(lines.join('\n')).toMatch(/POST \/shop\/_search\s.*600/);
});

test('shapes that are not shown are summed in one row', () => {
  const { rows } = shapesTable(made(), 1);
  expect(rows.map((row) => [row[0]!.text, row[2]!.text])).toEqual([
    ['#1', '600'],
    ['', '201'],
  ]);
});

test('the slowest shape is first, with its share of the time', () => {
  const [first] = slowestTable(made())!.rows;
  expect(first!.slice(0, 2).map(({ text }) => text)).toEqual(['#2', 'POST /_bulk']);
  expect(first![5]!.text).toBe('76.9%');
});
