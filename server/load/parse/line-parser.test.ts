import type { ParseJob } from '../../../common/tasks/parse';
import { Batch } from '../sources/batch';
import { ACTION_LINE } from '../sources/source';
import { LineParser } from './line-parser';

const NOW = Date.UTC(2026, 10, 20, 15, 40, 0, 123);

function parse(
  job: Partial<ParseJob>,
  line: string | Buffer,
): { why: string; documents: Record<string, unknown>[] } {
  const parser = new LineParser(
    { patterns: [], definitions: {}, timestamp: null, onFailure: 'tag', ...job },
    ACTION_LINE,
  );
  parser.setTime(NOW);
  const out = new Batch();
  const bytes = Buffer.from(line);
  const why = parser.append(bytes, 0, bytes.length, out);
  const lines = out.body().toString('utf8').split('\n');
  expect(lines.pop()).toBe('');
  expect(out.count).toBe(lines.length / 2);
  expect(lines.filter((_, place) => place % 2 === 0).every((text) => text === '{"index":{}}')).toBe(true);
  const documents = lines
    .filter((_, place) => place % 2 === 1)
    .map((text) => JSON.parse(text) as Record<string, unknown>);
  return { why, documents };
}

const TIME = new Date(NOW).toISOString();

test('fields are added to the line, in their types', () => {
  const patterns = ['^%{WORD:word} %{INT:n:int} %{NUMBER:x:double} %{WORD:yes:boolean} %{INT:text}$'];
  expect(parse({ patterns }, 'Ω "\n')).toMatchObject({ why: 'no-match' });
  expect(parse({ patterns }, 'a +007 1.50 TRUE 007\n')).toEqual({
    why: '',
    documents: [
      {
        '@timestamp': TIME,
        message: 'a +007 1.50 TRUE 007',
        word: 'a',
        n: 7,
        x: 1.5,
        yes: true,
        text: '007',
      },
    ],
  });
});

test('a long number keeps its digits, and what is no number of the type is unparsed', () => {
  const patterns = ['^%{NOTSPACE:n:long}$'];
  const parser = new LineParser({ patterns, definitions: {}, timestamp: null, onFailure: 'tag' }, '');
  parser.setTime(NOW);
  const out = new Batch();
  const line = Buffer.from('9223372036854775807');
  expect(parser.append(line, 0, line.length, out)).toBe('');
  expect(out.body().toString()).toContain('"n":9223372036854775807}');
  expect(parse({ patterns }, '1.5')).toMatchObject({
    why: 'wrong-type',
    documents: [{ message: '1.5', tags: ['_grokparsefailure'] }],
  });
});

test('quotes, backslashes, control characters, letters of all kinds and invalid bytes become valid JSON', () => {
  const text = 'say "ä\\ö" \t\u0001 … 🙂';
  expect(parse({ patterns: ['^%{GREEDYDATA:all}$'] }, text).documents).toEqual([
    { '@timestamp': TIME, message: text, all: text },
  ]);
  const [document] = parse({ patterns: ['%{WORD:w}'] }, Buffer.from([0x61, 0xff, 0x62])).documents;
  expect(document).toMatchObject({ message: 'a\ufffdb', w: 'a' });
});

test('the first pattern that matches gives the fields, empty ones too', () => {
  const patterns = ['^%{INT:number}$', '^%{WORD:word}(?<rest>.*)$'];
  expect(parse({ patterns }, '12').documents[0]).toEqual({ '@timestamp': TIME, message: '12', number: '12' });
  expect(parse({ patterns }, 'ab').documents[0]).toEqual({
    '@timestamp': TIME,
    message: 'ab',
    word: 'ab',
    rest: '',
  });
});

test('a line that does not match is tagged or left out', () => {
  const patterns = ['^%{INT:number}$'];
  expect(parse({ patterns }, 'x').documents).toEqual([
    { '@timestamp': TIME, message: 'x', tags: ['_grokparsefailure'] },
  ]);
  expect(parse({ patterns, onFailure: 'drop' }, 'x')).toEqual({ why: 'no-match', documents: [] });
});

test('the line’s own time becomes that of the document; an invalid time keeps its fields and a tag', () => {
  const job = {
    patterns: ['^\\[%{DATA:at}\\] %{WORD:w}$'],
    timestamp: { field: 'at', format: 'dd/MMM/yyyy:HH:mm:ss Z' },
  };
  expect(parse(job, '[20/Nov/2026:15:40:00 +0000] x').documents[0]).toMatchObject({
    '@timestamp': '2026-11-20T15:40:00.000Z',
    w: 'x',
  });
  expect(parse(job, '[yesterday] x')).toEqual({
    why: 'wrong-time',
    documents: [
      { '@timestamp': TIME, message: '[yesterday] x', at: 'yesterday', w: 'x', tags: ['_dateparsefailure'] },
    ],
  });
});
