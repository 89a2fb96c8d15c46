/** Verdicts of your own runs on the claims of a published benchmark. */
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RunSummary } from '../../../common/api/runs';
import type { ClaimAnswer } from '../../../common/experiment/run';
import type { Preset } from '../../../common/presets/preset';
import { apiQuery, useApi } from '../../api/queries';
import { useApp } from '../../app/context';

/** The newest run that decided a claim. */
export interface Measured {
  run: string;
  /** Start of the run, as ISO 8601. */
  started: string;
  answer: ClaimAnswer;
  why: string;
}

/** For each claim of a preset, the newest verdict of the user's own runs. */
export type MeasuredClaims = ReadonlyMap<string, Measured>;

/** Maximum number of runs that the route returns per page. */
const MOST_RUNS = 1000;
/** Number of newest runs of a preset that are read. Older runs add nothing, unless the claims were changed. */
const LOOKED_INTO = 3;

/** Returns the newest runs of each preset that have a verdict. */
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

/** Returns the newest verdicts by preset and claim; empty until they are loaded. */
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
