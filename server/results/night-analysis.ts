/** What is found in nights as they are stored, in whatever thread that is looked for. */
import type { Definition } from '../../common/experiment/definition';
import { analyseNights, type AnalysedNights } from '../../common/history/history';
import { factsOf, type Night, type NightFacts } from '../../common/history/night';
import { cutsOf } from '../../common/history/place-changes';
import { isPacked, sharingCells, unpackNight, type PackedNight } from './stored-night';

export interface NightOrder {
  /** Of the nights, in the order of time. */
  runs: readonly string[];
  /** By the run's id, of those at which the definition changed; undefined where nobody knows yet which those are. */
  definitions: ReadonlyMap<string, Definition> | undefined;
  /** Undefined for what the experiment is judged by. */
  clusterMetrics: readonly string[] | undefined;
}

/** What was found in nights. */
export type NightFindings = Pick<AnalysedNights, 'bands' | 'cuts' | 'series'>;

export interface NightAnswer {
  /** In the order of time. */
  nights: readonly NightFacts[];
  /** Runs whose definitions tell what changed. */
  asked: readonly string[];
  /** Undefined where definitions are asked for that the order did not bring. */
  found: NightFindings | undefined;
}

/** Perhaps in another thread. `nights`: in any order, and more of them than there are runs in the order perhaps. Rejects as their reader does. */
export type AnalyseNights = (
  order: NightOrder,
  nights: AsyncIterable<readonly PackedNight[]>,
) => Promise<NightAnswer>;

export const unpacked = (night: Night | PackedNight): Night => (isPacked(night) ? unpackNight(night) : night);

export function analyseStored(
  { runs, definitions, clusterMetrics }: NightOrder,
  stored: readonly (Night | PackedNight)[],
): NightAnswer {
  const byRun = new Map(stored.map((night) => [night.run, unpacked(night)]));
  const all = sharingCells(runs.flatMap((run) => byRun.get(run) ?? []));
  const { asked } = cutsOf(all, definitions);
  const isTold = definitions !== undefined || asked.length === 0;
  const whole = isTold ? analyseNights(all, definitions, clusterMetrics) : undefined;
  return {
    nights: all.map(factsOf),
    asked,
    found: whole && { bands: whole.bands, cuts: whole.cuts, series: whole.series },
  };
}

/** In this thread: for commands, which have nobody else to answer. */
export const analyseNightsHere: AnalyseNights = async (order, nights) => {
  const all: Night[] = [];
  for await (const part of nights) all.push(...part.map(unpacked));
  return analyseStored(order, all);
};
