/** What became of schedules: up to when each was seen to, and the times at which one started no run. */
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
  /** Kibana's; absent in the default one and elsewhere. */
  space?: string;
}

interface Logged extends Partial<MissedTimes> {
  /** The last time that was missed, or up to which the schedule was seen to, ISO 8601 UTC. */
  '@timestamp': string;
  kind: 'seen' | 'missed';
  experiment: Marked;
  /** By which times its schedule falls due, of `seen`. */
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

/** Up to when a schedule was seen to. */
export interface Seen {
  /** ms since the epoch. */
  to: number;
  schedule: string;
}

export interface ScheduleLog {
  /** By the ids of experiments. */
  seen(): Promise<Map<string, Seen>>;
  see(experiment: { id: string; name: string }, seen: Seen): Promise<void>;
  /** Told again, it is the same one. */
  miss(experiment: { id: string; name: string }, missed: MissedTimes): Promise<void>;
  /** The newest first. */
  missed(options: { experiment: string; limit: number }): Promise<MissedTimes[]>;
  /** The newest of each experiment, by its id. */
  newest(): Promise<Map<string, MissedTimes>>;
  /** Of an experiment that was deleted, all of it. */
  forget(experiment: string): Promise<void>;
}

/** Missed times of an experiment that are kept, the newest: no page shows more, and older ones go. */
export const MOST_MISSED = 1000;

/** Experiments of which something is known, at most: an index setting's default for hits. */
const MOST = 10_000;

/** All reject with a DynoError `results.*`, or as the client does. Reads see what was written before. */
export function createScheduleLog(
  client: ElasticsearchClient,
  { space }: { space?: SpaceId } = {},
): ScheduleLog {
  const visible = (query: object): object => (space === undefined ? query : withinSpace(query, space));
  const place = { index: SCHEDULES, what: 'what became of schedules' };
  const marked = ({ id, name }: { id: string; name: string }): Marked => ({
    id,
    name,
    ...(space === undefined || space === 'default' ? {} : { space }),
  });
  const idOf = ({ id, space: own = 'default' }: Marked, ...more: string[]): string =>
    [own, id, ...more].join(' ');

  async function write(id: string, document: Logged): Promise<void> {
    const doing = 'write what became of schedules';
    await makeIndex(client, { name: SCHEDULES, properties: fields }, doing);
    await ask(client, api.putDocument(SCHEDULES, id, document, { refresh: true }), doing);
  }

  /** Removes what `filter` finds but for its newest `kept`, some thousands at once. */
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
      await removeAll(client, hits, 'remove what became of schedules');
      await ask(client, api.refresh(SCHEDULES), 'remove what became of schedules');
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
