/** What the collector saw in a cell: means over its trials, of the node or machine where a figure was highest. */
import { mean } from '../../analysis/interval';
import { COVERED_FROM, coverage } from '../../measurement/coverage';
import type { TrialFigures } from '../../analysis/limiting-factor-figures';
import type { CollectedHost, CollectedNode } from '../../measurement/collected';
import type { TrialDocument } from '../../measurement/trial';
import type { CollectedMeans, Worst } from './report';

interface Seen {
  document: TrialDocument;
  nodes: readonly CollectedNode[];
}

/** A figure and where it was. */
type Figure = { value: number | null | undefined; on: string };

/** Null where no trial has anything of a collector; `figures` are those of `trials`. */
export function collectedMeans(
  trials: readonly TrialDocument[],
  figures: readonly TrialFigures[],
): CollectedMeans | null {
  const seen = trials.flatMap((document): Seen[] =>
    document.collected ? [{ document, nodes: document.collected.nodes }] : [],
  );
  if (seen.length === 0) return null;
  const nodes = seen.flatMap((trial) => trial.nodes);
  const ofNode = (read: (node: CollectedNode) => Figure['value']): Worst | null =>
    worst(seen, (node) => ({ value: read(node), on: node.name }));
  const ofHost = (read: (host: CollectedHost) => Figure['value']): Worst | null =>
    ofNode(({ host }) => host && read(host));
  const merges = (key: keyof CollectedMeans['merges']): number =>
    mean(seen.map((trial) => trial.nodes.reduce((sum, node) => sum + node.merges[key], 0)));
  return {
    trials: seen.length,
    covered: Math.min(...seen.map(leastCovered)),
    everyMachine: figures.every((trial) =>
      trial.nodes.every(({ machineCovered }) => (machineCovered ?? 0) >= COVERED_FROM),
    ),
    cpuBusy: ofHost(({ busyShare }) => busyShare),
    iowait: ofHost(({ iowaitShare }) => iowaitShare),
    diskBusy: worst(seen, ({ name, host }) => ({
      value: host?.busiestDisk?.busyShare,
      on: `${host?.busiestDisk?.name ?? ''} of ${name}`,
    })),
    ioStalled: ofHost(({ ioStalledShare }) => ioStalledShare),
    writeQueue: ofNode((node) => writePool(node)?.meanQueueShare),
    writeQueueHighest: highest(nodes.map((node) => writePool(node)?.maxQueueShare)),
    gcPause: ofNode(({ gcPauseMs, coveredMs }) => (coveredMs === 0 ? null : gcPauseMs / coveredMs)),
    pressureHighest: highest(nodes.map(({ indexingPressure }) => indexingPressure.highestShare)),
    merges: { timeMs: merges('timeMs'), throttledMs: merges('throttledMs'), stoppedMs: merges('stoppedMs') },
    networkRx: ofHost(({ network }) => network?.rxBytesPerSecond),
    networkTx: ofHost(({ network }) => network?.txBytesPerSecond),
  };
}

/** Called `bulk` before Elasticsearch 6.3. */
const writePool = ({ threadPools }: CollectedNode) => threadPools['write'] ?? threadPools['bulk'];

const leastCovered = ({ document, nodes }: Seen): number =>
  Math.min(
    ...nodes
      .flatMap(({ coveredMs, host }) => [coveredMs, ...(host ? [host.coveredMs] : [])])
      .map((ms) => coverage(ms, document)),
  );

const isTold = (value: Figure['value']): value is number => value !== null && value !== undefined;

function highest(values: readonly Figure['value'][]): number | null {
  const told = values.filter(isTold);
  return told.length === 0 ? null : Math.max(...told);
}

/** Null where a trial does not tell it of any node. */
function worst(seen: readonly Seen[], read: (node: CollectedNode) => Figure): Worst | null {
  const most = seen.map(({ nodes }) => {
    const told = nodes
      .map(read)
      .flatMap(({ value, on }) => (isTold(value) ? [{ value, on }] : []))
      .sort((a, b) => b.value - a.value);
    return told[0];
  });
  const told = most.filter((one) => one !== undefined);
  if (told.length < seen.length) return null;
  const [first] = [...told].sort((a, b) => b.value - a.value);
  return { mean: mean(told.map(({ value }) => value)), on: first!.on };
}
