import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { trackFolder } from './track-folder';

let folder: string;
let track: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-track-'));
  track = path.join(folder, 'track');
  mkdirSync(path.join(track, 'parts'), { recursive: true });
  writeFileSync(path.join(folder, 'secret.json'), '"secret"');
  writeFileSync(path.join(track, 'track.json'), '{}');
  for (const name of ['b.json', 'a.json', '.hidden.json', 'c.txt'])
    writeFileSync(path.join(track, 'parts', name), name);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('files are read, and found by patterns in alphabetical order', () => {
  const files = trackFolder(track);
  expect(files.read('parts/../track.json')).toBe('{}');
  expect(files.glob('parts/*.json')).toEqual(['parts/a.json', 'parts/b.json']);
  expect(files.glob('parts/.*.json')).toEqual(['parts/.hidden.json']);
  expect(files.glob('*/?.txt')).toEqual(['parts/c.txt']);
  expect(files.glob('none/*.json')).toEqual([]);
});

test('files outside the folder are refused, also behind links', () => {
  const files = trackFolder(track);
  symlinkSync(path.join(folder, 'secret.json'), path.join(track, 'link.json'));
  expect(() => files.read('../secret.json')).toThrow('is outside the folder of the track');
  expect(() => files.read('/etc/passwd')).toThrow('is outside the folder of the track');
  expect(() => files.glob('../*.json')).toThrow('is outside the folder of the track');
  expect(() => files.read('link.json')).toThrow('is a link that leads out of the folder of the track');
});

test('a path that does not exist, or is not a file, is reported', () => {
  const files = trackFolder(track);
  expect(() => files.read('none.json')).toThrow('none.json: does not exist');
  expect(() => files.read('parts')).toThrow('is not a file');
});
