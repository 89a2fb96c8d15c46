import { writeFileSync } from 'node:fs';
import { madeFolder } from '../../traffic-file/testing/made-records';
import { surveyFile } from './survey-file';
import { STARTED_AT, writeShop } from './testing/made-traffic';

const at = madeFolder();
const silent = (): void => undefined;

test('a file is read as a whole, and its survey has the times of the recording', async () => {
  await writeShop(at('shop.traffic.gz'));
  const { survey, header, format, ended, losses } = await surveyFile(at('shop.traffic.gz'), silent);
  expect({ format, ended, losses }).toEqual({ format: 'dyno', ended: true, losses: [] });
  expect(header.origin).toBe('record');
  expect(survey).toMatchObject({
    requests: 400,
    firstAt: STARTED_AT,
    lastAt: STARTED_AT + 3990,
    connections: 4,
    documents: 100,
    effects: { read: 200, write: 100, context: 0, other: 100 },
    repeats: { reads: 200, repeated: 174 },
  });
});

test('a part of a file can be surveyed', async () => {
  await writeShop(at('part.traffic.gz'));
  const { survey, ended } = await surveyFile(at('part.traffic.gz'), silent, 10);
  expect({ requests: survey.requests, ended }).toEqual({ requests: 10, ended: false });
});

test('a file that is not traffic is refused', async () => {
  writeFileSync(at('notes.txt'), 'no traffic\n');
  await expect(surveyFile(at('notes.txt'), silent)).rejects.toMatchObject({ kind: 'input' });
});
