// The order of Jest's files: the longest first, by their budgets, so that none of them is left for one worker at the end.
// Those without a budget come after, in Jest's own order.
import Sequencer from '@jest/test-sequencer';
import { basename, dirname } from 'node:path';
import { BUDGETS } from './budgets.mjs';

const budget = ({ path }) => BUDGETS[`${basename(dirname(path))}/${basename(path, '.test.ts')}`] ?? 0;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => budget(b) - budget(a));
  }
}
