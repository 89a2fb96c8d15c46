/** Results of the user's own runs for the conclusions of a published benchmark. */
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RunSummary } from '../../../common/api/runs';
import type { ClaimAnswer } from '../../../common/experiment/run';
import type { Preset } from '../../../common/presets/preset';
import { apiQuery, useApi } from '../../api/queries';
import { useApp } from '../../app/context';

/** The newest run that confirmed or refuted a conclusion of a published benchmark. */
export interface Measured {
  run: string;
  /** Start of the run, as ISO 8601. */
  started: string;
  answer: ClaimAnswer;
  why: string;
}

/** For each conclusion of a published benchmark, the newest run of the user that confirmed or refuted it. */
export type MeasuredClaims = ReadonlyMap<string, Measured>;

/** Maximum number of runs that are requested from the server. */
const MOST_RUNS = 1000;
/** For each experiment, results are taken from this many of its newest runs. */
const LOOKED_INTO = 3;

/** Returns the newest completed runs of each of these experiments. Only runs that tested the experiment's claims are included. */
export function runsByPreset(
  runs: readonly RunSummary[],
  presets: readonly Pick<Preset, 'name'>[],
): RunSummary[] {
  return presets.flatMap(({ name }) =>
    runs
      .filter(
        ({ experiment, state, answer }) =>
          experiment.preset === name && state === 'completed' && answer !== null,
      )
      .sort((one, other) => other.started.localeCompare(one.started))
      .slice(0, LOOKED_INTO),
  );
}

/**
 * Returns for each experiment the newest result of each conclusion. The keys are the names of the experiments' presets. Empty until the
 * results are loaded.
 */
export function useMeasured(presets: readonly Preset[]): ReadonlyMap<string, MeasuredClaims> {
  const { client } = useApp();
  const { data } = useApi('listRuns', { query: { limit: MOST_RUNS } });
  const runs = useMemo(() => runsByPreset(data?.runs ?? [], presets), [data, presets]);
  const details = useQueries({
    queries: runs.map(({ id }) => apiQuery(client, 'getRun', { params: { id } })),
  });
  const found = new Map<string, Map<string, Measured>>();
  runs.forEach(({ id, started, experiment }, at) => {
    const claims = details[at]?.data?.run.verdict?.claims ?? [];
    const own = found.get(experiment.preset!) ?? new Map<string, Measured>();
    found.set(experiment.preset!, own);
    for (const { claim, answer, why } of claims) {
      // The first run counts, because newer runs come first.
      if (!own.has(claim)) own.set(claim, { run: id, started, answer, why });
    }
  });
  return found;
}
