import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom, deriveSeed } from '../../common/random';
import {
  answersPart,
  collectorPart,
  corporaPart,
  httpPart,
  logsPart,
  spoolPart,
  type FuzzPart,
} from './parts';
import { hostileServer } from './server';
import { trafficPart } from './traffic';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-fuzz-'));
writeFileSync(path.join(folder, 'index.html'), '<!doctype html>');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, number, () => FuzzPart | Promise<FuzzPart>]>([
  ['http', 60, async () => httpPart(await hostileServer(folder, () => undefined))],
  ['corpora', 30, () => corporaPart(folder)],
  ['logs', 100, logsPart],
  ['answers', 200, answersPart],
  ['spool', 20, () => spoolPart(folder)],
  ['traffic', 100, () => trafficPart(folder)],
  ['collector', 200, collectorPart],
])(
  'hostile inputs to %s are refused with an error or accepted, and both happen',
  async (name, count, make) => {
    const part = await make();
    const outcomes = new Set<string>();
    for (let number = 0; number < count; number += 1)
      outcomes.add(await part.try(createRandom(deriveSeed(1, name, number))));
    await part.close?.();
    expect([...outcomes].sort()).toEqual(['accepted', 'refused']);
  },
);
