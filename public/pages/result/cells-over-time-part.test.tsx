import { nodeFigures } from '../run/node-figures';
import { figureOverTime } from './cells-over-time';

it.each(['cpu', 'iowait', 'disk.read', 'disk.write', 'network.in', 'heap', 'gc', 'merges.count'])(
  'shows a claim about the cluster’s %s over time by the chart of that metric',
  (name) => {
    expect(nodeFigures().map(({ id }) => id)).toContain(figureOverTime(`cluster.${name}`));
  },
);
