// The order of Jest's files: its own (the longest first where it knows, else the largest), but those with a browser,
// short in lines and long in minutes, before the others, so that none of them is left for one worker at the end.
import Sequencer from '@jest/test-sequencer';

export default class BrowserFirst extends Sequencer {
  sort(tests) {
    const rank = ({ context }) => (context.config.displayName?.name === 'browser' ? 0 : 1);
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
