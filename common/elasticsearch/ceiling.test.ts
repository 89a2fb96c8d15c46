import { answerCeiling } from './ceiling';

test.each([
  ['/', 16],
  ['/a/_count', 16],
  ['/_cluster/health', 16],
  ['/dyno-bulk', 16],
  ['/_nodes/stats/jvm', 128],
  ['/a,b/_segments', 128],
  ['/_mapping', 128],
  ['/dyno-trials-*/_search', 256],
  ['/_bulk', 256],
])('the answer to %s has at most %d MB', (path, mb) => {
  expect(answerCeiling({ path })).toBe(mb * 1024 ** 2);
});
