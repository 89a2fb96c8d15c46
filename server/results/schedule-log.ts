/**
 * Stores facts about the schedule of each experiment: the time until which the schedule was checked, and due times at which no run was
 * started (missed times).
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { MissedTimes } from '../../common/experiment/missed';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { date, keyword, long, object, text, type Fields } from './mappings/field';
import { makeIndex } from './own-index';
import { removeAll } from './removal';
import { searchIndex } from './search';
import { withinSpace, type SpaceId } from './space';
import { parseTime } from '../../common/units/time';

export const SCHEDULES = 'dyno-schedules';

interface Marked {
  id: string;
  name: string;
  /** Kibana space. Absent in the default space and outside Kibana. */
  space?: string;
}

interface Logged extends Partial<MissedTimes> {
  /**
   * Time in ISO 8601 and UTC. For the kind `missed`, the last due time at which no run was started. For the kind `seen`, the time until
   * which the schedule was checked.
   */
  '@timestamp': string;
  kind: 'seen' | 'missed';
  experiment: Marked;
  /** Text of the schedule. Absent in documents of the kind `missed`. */
  schedule?: string;
}

const fields: Fields<Logged> = {
  '@timestamp': date,
  kind: keyword,
  experiment: object<Marked>({ id: keyword, name: keyword, space: keyword }),
  schedule: keyword,
  first: date,
  last: date,
  times: long,
  reason: keyword,
  why: text,
  run: keyword,
};

/** Time until which a schedule was checked for due times, and the schedule itself. */
export interface Seen {
  /** Time until which the schedule was checked, in ms since the epoch. */
  to: number;
  schedule: string;
}

export interface ScheduleLog {
  /** Reads for each experiment the time until which its schedule was checked, by experiment id. */
  seen(): Promise<Map<string, Seen>>;
  see(experiment: { id: string; name: string }, seen: Seen): Promise<void>;
  /** Stores due times at which no run was started. Storing the same times again changes nothing. */
  miss(experiment: { id: string; name: string }, missed: MissedTimes): Promise<void>;
  /** Reads the missed times of an experiment, the newest first. */
  missed(options: { experiment: string; limit: number }): Promise<MissedTimes[]>;
  /** Reads the newest missed times of each experiment, by experiment id. */
  newest(): Promise<Map<string, MissedTimes>>;
  /** Removes all entries of a deleted experiment. */
  forget(experiment: string): Promise<void>;
}

/** Maximum number of missed times that are stored for an experiment. Older ones are removed, because no page shows more. */
export const MOST_MISSED = 1000;

/**
 * Maximum number of experiments that one search returns. It is the default maximum of hits in Elasticsearch (`index.max_result_window`).
 */
const MOST = 10_000;

/**
 * All methods reject with a DynoError `results.*`, or with the errors of the client. Each read includes everything that was written before
 * the call.
 */
export function createScheduleLog(
  client: ElasticsearchClient,
  { space }: { space?: SpaceId } = {},
): ScheduleLog {
  const visible = (query: object): object => (space === undefined ? query : withinSpace(query, space));
  const place = { index: SCHEDULES, what: 'the log of schedules' };
  const marked = ({ id, name }: { id: string; name: string }): Marked => ({
    id,
    name,
    ...(space === undefined || space === 'default' ? {} : { space }),
  });
  const idOf = ({ id, space: own = 'default' }: Marked, ...more: string[]): string =>
    [own, id, ...more].join(' ');

  async function write(id: string, document: Logged): Promise<void> {
    const doing = 'write the log of schedules';
    await makeIndex(client, { name: SCHEDULES, properties: fields }, doing);
    await ask(client, api.putDocument(SCHEDULES, id, document, { refresh: true }), doing);
  }

  /** Removes the entries that `filter` finds, except the newest `kept` entries. Works in portions of a few thousand. */
  async function remove(filter: object[], kept = 0): Promise<void> {
    for (;;) {
      const { hits } = await searchIndex(client, place, {
        query: visible({ bool: { filter } }),
        sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'date' } }],
        from: kept,
        size: MOST - kept,
        _source: false,
      });
      if (hits.length === 0) return;
      await removeAll(client, hits, 'remove old entries from the log of schedules');
      await ask(client, api.refresh(SCHEDULES), 'remove old entries from the log of schedules');
    }
  }

  const of = (experiment: string): object => ({ term: { 'experiment.id': experiment } });

  const missedOf = ({ first, last, times, reason, why, run }: Logged): MissedTimes => ({
    first: first!,
    last: last!,
    times: times!,
    reason: reason!,
    why: why!,
    ...(run === undefined ? {} : { run }),
  });

  async function read(filter: object[], more: object): Promise<Logged[]> {
    const { hits } = await searchIndex<Logged>(client, place, {
      query: visible({ bool: { filter } }),
      sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'date' } }],
      ...more,
    });
    return hits.map(({ _source }) => _source);
  }

  return {
    async seen() {
      const found = await read([{ term: { kind: 'seen' } }], { size: MOST });
      return new Map(
        found.map(({ experiment, '@timestamp': at, schedule = '' }) => [
          experiment.id,
          { to: parseTime(at), schedule },
        ]),
      );
    },
    see: (experiment, { to, schedule }) =>
      write(idOf(marked(experiment), 'seen'), {
        '@timestamp': new Date(to).toISOString(),
        kind: 'seen',
        experiment: marked(experiment),
        schedule: schedule.slice(0, 1000),
      }),
    async miss(experiment, missed) {
      await write(idOf(marked(experiment), missed.last), {
        '@timestamp': missed.last,
        kind: 'missed',
        experiment: marked(experiment),
        ...missed,
      });
      await remove([{ term: { kind: 'missed' } }, of(experiment.id)], MOST_MISSED);
    },
    async missed({ experiment, limit }) {
      return (await read([{ term: { kind: 'missed' } }, of(experiment)], { size: limit })).map(missedOf);
    },
    forget: (experiment) => remove([of(experiment)]),
    async newest() {
      const found = await read([{ term: { kind: 'missed' } }], {
        size: MOST,
        collapse: { field: 'experiment.id' },
      });
      return new Map(found.map((logged) => [logged.experiment.id, missedOf(logged)]));
    },
  };
}
