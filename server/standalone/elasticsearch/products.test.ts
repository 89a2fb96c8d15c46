import type { Engine } from '../../../common/elasticsearch/engine';
import { PRODUCTS } from './products';

test.each<[Engine, string, number, number | undefined]>([
  ['elasticsearch', '9.5.3', 21, undefined],
  ['elasticsearch', '8.19.21', 21, undefined],
  ['elasticsearch', '8.12.0', 17, 23],
  ['opensearch', '3.6.0', 21, undefined],
  ['opensearch', '2.19.6', 11, 23],
])('%s %s runs on Java %d to %p', (engine, version, oldest, newest) => {
  const range = PRODUCTS[engine].javaOf(version);
  expect([range.oldest, range.newest]).toEqual([oldest, newest]);
});
