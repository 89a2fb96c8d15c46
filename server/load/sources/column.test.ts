import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readColumn } from './column';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-column-'));
afterAll(() => rmSync(folder, { recursive: true }));

const valuesIn = (name: string, text: string | Buffer, column?: string): unknown[] => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return readColumn({ path: file, column });
};

test('a value on each line, empty lines left out', () => {
  expect(valuesIn('a.txt', 'one\r\n\ntwo, "x"\nüber\n')).toEqual(['one', 'two, "x"', 'über']);
});

test('a column of a table by its header, quotes and line breaks within them read', () => {
  const table = '\ufeffid,name\n1,"a, ""b"""\n2,"two\nlines"\n';
  expect(valuesIn('a.csv', table, 'name')).toEqual(['a, "b"', 'two\nlines']);
  expect(valuesIn('a.csv', table, 'id')).toEqual(['1', '2']);
  expect(valuesIn('a.tsv', 'id\tname\n1\tx, y\n', 'name')).toEqual(['x, y']);
  expect(valuesIn('b.csv', 'only\n1\n')).toEqual(['1']);
});

test('a field of documents, of any type, or the documents themselves', () => {
  const documents = '{"user":{"id":7,"tags":["a"]}}\n{"user":{"id":"x","tags":[]}}\n';
  expect(valuesIn('a.ndjson', documents, 'user.id')).toEqual([7, 'x']);
  expect(valuesIn('a.ndjson', documents, 'user.tags')).toEqual([['a'], []]);
  expect(valuesIn('a.ndjson', '{"a":1}\n')).toEqual([{ a: 1 }]);
});

test.each([
  ['no values', 'a.txt', '\n\n', undefined, /a\.txt: holds no values/],
  ['a header alone', 'a.csv', 'id,name\n', 'id', /holds no values/],
  ['a table without that column', 'a.csv', 'id,name\n1,x\n', 'nmae', /one of id, name/],
  ['a table of which no column is named', 'a.csv', 'id,name\n1,x\n', undefined, /one of id, name/],
  ['rows of other lengths', 'a.csv', 'id,name\n1\n', 'id', /is not a table/],
  ['a line that is no JSON', 'a.ndjson', '{"a":1}\n{\n', 'a', /a\.ndjson:2: is not JSON/],
  [
    'a document without the field',
    'a.ndjson',
    '{"a":1}\n{"b":1}\n',
    'a',
    /a\.ndjson:2: has no such field.*such as b/,
  ],
  ['lines with a column', 'a.txt', 'x\n', 'a', /no columns/],
  ['bytes that are no UTF-8', 'a.txt', Buffer.from([0x61, 0xff]), undefined, /cannot be read as UTF-8/],
])('%s: refused with the file and what is allowed', (_what, name, text, column, message) => {
  expect(() => valuesIn(name, text, column)).toThrow(message);
});

test('a file that is not there', () => {
  expect(() => readColumn({ path: path.join(folder, 'none.txt') })).toThrow('does not exist');
});
