// Orders Jest's files by their budgets, longest first, so that one worker does not run a long file alone at the end. Files without a
// budget follow in Jest's own order.
import Sequencer from '@jest/test-sequencer';
import { basename, dirname } from 'node:path';
import { BUDGETS } from './budgets.mjs';

const budget = ({ path }) => BUDGETS[`${basename(dirname(path))}/${basename(path, '.test.ts')}`] ?? 0;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => budget(b) - budget(a));
  }
}
