/** Reads the histories of experiments. A history consists of the completed runs of an experiment. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { MissedTimes } from '../../common/experiment/missed';
import type { Annotations } from '../../common/history/annotations';
import { asksCluster, partOf, type History, type HistoryFilter } from '../../common/history/history';
import type { HistoryRunFacts } from '../../common/history/history-run';
import { parseTime } from '../../common/units/time';
import { completedRuns, findExperiments, stampOf, type NamedExperiment } from './completed-runs';
import { createFindings } from './history-findings';
import { historyMemory, type HistoryMemory } from './history-memory';
import { readDefinitions } from './history-run-reader';
import { createScheduleLog, MOST_MISSED } from './schedule-log';
import { refresh } from './search';
import type { SpaceId } from './space';
import { RUNS, TRIALS } from './stored';

export interface Histories {
  /**
   * Returns the experiment with this id. If no experiment has this id, returns all experiments with this name. Only experiments with stored
   * runs are found.
   */
  find(idOrName: string): Promise<NamedExperiment[]>;
  /** Returns facts about each completed run, the oldest first. Metrics are not included. */
  runs(experiment: NamedExperiment): Promise<HistoryRunFacts[]>;
  /** Returns the history of the completed runs that `filter` selects. The history is empty if no run has completed. */
  history(experiment: NamedExperiment, filter?: HistoryFilter, annotations?: Annotations): Promise<History>;
}

/** Creates a reader. Each read includes everything that was written before the call. Reads reject with the errors of the results reader. */
export function createHistories(
  client: ElasticsearchClient,
  { space, memory = historyMemory() }: { space?: SpaceId; memory?: HistoryMemory } = {},
): Histories {
  const findings = createFindings(client, memory);

  return {
    async find(idOrName) {
      await refresh(client, RUNS);
      return findExperiments(client, idOrName, space);
    },

    async runs({ id }) {
      await Promise.all([RUNS, TRIALS].map((kind) => refresh(client, kind)));
      const runs = await completedRuns(client, id, space);
      return [...(await findings.judgedOf(id, runs, stampOf(runs))).runs];
    },

    async history(experiment, filter = {}, annotations) {
      await Promise.all([RUNS, TRIALS].map((kind) => refresh(client, kind)));
      const [runs, missed] = await Promise.all([
        completedRuns(client, experiment.id, space),
        createScheduleLog(client, { space }).missed({ experiment: experiment.id, limit: MOST_MISSED }),
      ]);
      const stamp = stampOf(runs);
      const judged = await findings.judgedOf(experiment.id, runs, stamp);
      const cluster = asksCluster(filter)
        ? await findings.clusterOf(experiment.id, runs, stamp, judged, filter)
        : undefined;
      const part = partOf({ experiment, judged, cluster, annotations }, filter);
      const asked = new Set(part.asked.clusters);
      const [clusters, definitions] = await Promise.all([
        findings.clustersOf(runs.filter(({ id }) => asked.has(id))),
        readDefinitions(client, part.asked.definitions),
      ]);
      const isIn = ({ first, last }: MissedTimes): boolean =>
        (filter.from === undefined || last >= new Date(parseTime(filter.from)).toISOString()) &&
        (filter.to === undefined || first <= new Date(parseTime(filter.to)).toISOString());
      // Gives other requests a turn, because unpacking takes a while.
      await turn();
      const history = part.build({ clusters, definitions });
      return { ...history, missed: missed.filter(isIn).reverse() };
    },
  };
}
