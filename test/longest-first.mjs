// The order of Jest's files: its own (the longest first where it knows, else the largest), but those that are short in
// lines and long in minutes before the others, so that none of them is left for one worker at the end.
import Sequencer from '@jest/test-sequencer';

const LONG = /[/\\](browser[/\\][^/\\]+|presets\.test\.ts$)/;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => (LONG.test(path) ? 0 : 1);
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
