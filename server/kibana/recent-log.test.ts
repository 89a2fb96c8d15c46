import { recentLog } from './recent-log';

test('the newest lines of the log are kept with their times', () => {
  const written: string[] = [];
  const to = (message: string): void => void written.push(message);
  const { log, lines } = recentLog({ info: to, warn: to, error: to }, 2);
  log.info('one');
  log.warn('two');
  log.error('three');
  expect(written).toEqual(['one', 'two', 'three']);
  expect(lines()).toEqual([
    expect.stringMatching(/^\S+Z WARN two$/),
    expect.stringMatching(/^\S+Z ERROR three$/),
  ]);
});
