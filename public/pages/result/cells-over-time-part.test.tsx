import { nodeFigures } from '../run/node-figures';
import { figureOverTime } from './cells-over-time';

it('knows charts of nodes by the names that they have', () => {
  const ids = new Set(nodeFigures().map(({ id }) => id));
  for (const name of [
    'cpu',
    'iowait',
    'disk.busy',
    'disk.read',
    'disk.write',
    'network.out',
    'heap',
    'gc',
    'write-queue',
    'rejections.write',
    'rejections.search',
    'merges.throttled',
  ])
    expect(ids).toContain(figureOverTime(`cluster.${name}`));
});
