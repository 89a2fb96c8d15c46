/** Calculates the work of the nodes and the state of the indices for one combination of factor levels, as means over its trials. */
import { mean } from '../../analysis/interval';
import type { NodeFigures, TrialFigures } from '../../analysis/limiting-factor-figures';
import { bytesPerDocument, shardSkew, type IndexState, type ServerDelta } from '../../measurement/server';
import type { TrialDocument } from '../../measurement/trial';
import type { IndexMeans, ServerMeans } from './report';

/**
 * Returns the work of the nodes as means over trials. Null if no trial has statistics from both before and after the measured phase.
 * `figures`: metrics of the trials that have both statistics.
 */
export function serverMeans(
  trials: readonly TrialDocument[],
  figures: readonly TrialFigures[],
): ServerMeans | null {
  const deltas = trials.map(({ server }) => server).filter((server) => server !== null);
  if (deltas.length === 0) return null;
  const over = (read: (delta: ServerDelta) => number): number => mean(deltas.map(read));
  /** Returns the mean over all trials. Null if a trial has no value, because a mean over the other trials alone could be misleading. */
  const meanIfKnown = (read: (delta: ServerDelta) => number | null): number | null => {
    const values = deltas.map(read).filter((value) => value !== null);
    return values.length < deltas.length ? null : mean(values);
  };
  const section = <T extends Record<string, number>>(read: (delta: ServerDelta) => T): T =>
    Object.fromEntries(
      Object.keys(read(deltas[0]!)).map((key) => [key, over((delta) => read(delta)[key]!)]),
    ) as T;
  const gc = ({ gc: collectors }: ServerDelta, key: 'count' | 'timeMs'): number =>
    Object.values(collectors).reduce((sum, collector) => sum + collector[key], 0);
  const indexingPressure = section((delta) => delta.indexingPressure);
  return {
    trials: deltas.length,
    partial: deltas.filter(({ partial }) => partial).length,
    nodes: deltas.at(-1)!.nodes,
    indexing: section((delta) => delta.indexing),
    search: section((delta) => delta.search),
    requestCache: cacheMeans(deltas),
    merges: section((delta) => delta.merges),
    refresh: section((delta) => delta.refresh),
    flush: section((delta) => delta.flush),
    gc: { count: over((delta) => gc(delta, 'count')), timeMs: over((delta) => gc(delta, 'timeMs')) },
    threadPools: poolMeans(deltas),
    indexingPressure,
    pressureRejections: Object.values(indexingPressure).reduce((sum, rejected) => sum + rejected, 0),
    cpuMs: meanIfKnown((delta) => delta.cpuMs),
    diskBusyMs: meanIfKnown((delta) => delta.diskBusyMs),
    busiest: {
      cpuShare: busiestMean(figures, ({ cpuShare }) => cpuShare),
      gcShare: busiestMean(figures, ({ shares }) => shares.gc ?? null),
      diskBusyShare: busiestMean(figures, ({ shares }) => shares['disk.busy'] ?? null),
      othersCpuShare: busiestMean(figures, ({ othersCpuShare }) => othersCpuShare),
      generatorCpuShare: busiestMean(figures, ({ generatorCpuShare }) => generatorCpuShare),
    },
  };
}

/** Returns the mean over trials of the highest value that any node has. Null without trials, or if no node of some trial has a value. */
function busiestMean(
  figures: readonly TrialFigures[],
  read: (node: NodeFigures) => number | null,
): number | null {
  const most = figures.map(({ nodes }) => nodes.map(read).filter((value) => value !== null));
  return most.length === 0 || most.some((values) => values.length === 0)
    ? null
    : mean(most.map((values) => Math.max(...values)));
}

function cacheMeans(deltas: readonly ServerDelta[]): ServerMeans['requestCache'] {
  const known = deltas.map(({ requestCache }) => requestCache).filter((cache) => cache !== undefined);
  if (known.length < deltas.length) return null;
  const [hits, misses] = [mean(known.map((cache) => cache.hits)), mean(known.map((cache) => cache.misses))];
  return { hits, misses, share: hits + misses === 0 ? null : hits / (hits + misses) };
}

function poolMeans(deltas: readonly ServerDelta[]): ServerMeans['threadPools'] {
  const names = [...new Set(deltas.flatMap(({ threadPools }) => Object.keys(threadPools)))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const over = (key: 'completed' | 'rejected'): number =>
        mean(deltas.map(({ threadPools }) => threadPools[name]?.[key] ?? 0));
      const [completed, rejected] = [over('completed'), over('rejected')];
      return [
        name,
        { completed, rejected, ratio: completed + rejected === 0 ? 0 : rejected / (completed + rejected) },
      ];
    }),
  );
}

/** Returns the state of the indices as means over trials. Null if no trial contains this state. */
export function indexMeans(trials: readonly TrialDocument[]): IndexMeans | null {
  const states = trials.map(({ index }) => index).filter((index) => index !== null);
  if (states.length === 0) return null;
  return {
    docs: mean(states.map(({ docs }) => docs)),
    storeBytes: mean(states.map(({ storeBytes }) => storeBytes)),
    bytesPerDocument: meanOf(states.map((state) => bytesPerDocument(state))),
    segments: mean(states.map(({ segments }) => segments)),
    backing: meanOf(states.map(({ backing }) => backing ?? null)),
    modes: [...new Set(states.flatMap(({ modes }) => modes?.mode ?? []))],
    sources: [...new Set(states.flatMap(({ modes }) => modes?.source ?? []))],
    merged: states.find(({ merged }) => merged !== undefined)?.merged ?? null,
    fields: fieldMeans(states.filter(({ fields }) => fields !== undefined)),
    ...recipeMeans(states),
    shardSkew: {
      docs: meanOf(states.map((state) => shardSkew(state, 'docs'))),
      bytes: meanOf(states.map((state) => shardSkew(state, 'bytes'))),
    },
    primaries: [...new Set(states.map(({ primaries }) => primaries))],
    shards: [...new Set(states.map(({ shards }) => shards))],
  };
}

/** Returns the mean of the known values. Null if no value is known. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}

/** Returns the mean duration of each step, in ms, over the trials in which the step ended. */
function recipeMeans(states: readonly IndexState[]): Pick<IndexMeans, 'recipe'> {
  const known = states.map(({ recipe }) => recipe).filter((times) => times !== undefined);
  if (known.length === 0) return {};
  const steps = [...new Set(known.flatMap((times) => Object.keys(times)))];
  return {
    recipe: Object.fromEntries(
      steps.map((step) => [step, mean(known.flatMap((times) => times[step] ?? []))]),
    ),
  };
}

/** Returns the bytes per document of each field. If a trial does not list a field, the field counts as 0 in this trial. */
function fieldMeans(states: readonly IndexState[]): IndexMeans['fields'] {
  const names = [...new Set(states.flatMap(({ fields = {} }) => Object.keys(fields)))];
  return names
    .map((field) => ({
      field,
      bytesPerDocument: mean(states.map((state) => bytesPerDocument(state, field) ?? 0)),
    }))
    .sort((a, b) => b.bytesPerDocument - a.bytesPerDocument);
}
