import type { ElasticsearchClient, ElasticsearchResponse } from '../../../common/elasticsearch/client';
import type { Marker } from '../../../common/measurement/marker';
import { runError } from '../../../common/problem';
import { TrialMarker, type MarkedTrial } from './collector';

const marked: MarkedTrial = {
  cluster: { uuid: 'u' },
  run: { id: 'r' },
  experiment: { id: 'e', name: 'E' },
  trial: { id: 't' },
  cell: { id: 'c', label: 'C' },
};

const answer = <T>(status: number, body: unknown): Promise<ElasticsearchResponse<T>> =>
  Promise.resolve({ status, body: body as T });

/**
 * Simulates a store that needs less time for each further write. A later write would therefore overtake an earlier one, unless the tested
 * class waits.
 */
function slowStore(): { client: ElasticsearchClient; stored: Marker[] } {
  const stored: Marker[] = [];
  let delay = 30;
  const client: ElasticsearchClient = {
    request: async ({ method, path, body }) => {
      if (method === 'PUT' && path.includes('/_doc/')) {
        await new Promise((resolve) => setTimeout(resolve, (delay -= 10)));
        stored.push(body as Marker);
      }
      return answer(200, {});
    },
  };
  return { client, stored };
}

const target = (offset: number): ElasticsearchClient => ({
  request: () => answer(200, { nodes: { n1: { timestamp: Date.now() + offset } } }),
});

const times = (more: object): Parameters<TrialMarker['update']>[0] => ({
  prepare: 1000,
  warmup: null,
  measure: null,
  drain: null,
  ended: null,
  ...more,
});

describe('the marker of a trial', () => {
  it('is written in the order in which its times became known', async () => {
    const { client, stored } = slowStore();
    const marker = new TrialMarker(marked, client, target(0), () => undefined);
    marker.update(times({}));
    marker.update(times({ measure: 2000 }));
    marker.update(times({ measure: 2000, ended: 3000 }));
    await marker.settled();
    expect(stored.map(({ phases }) => phases.length)).toEqual([1, 2, 2]);
    expect(stored.at(-1)).toMatchObject({ ...marked, ended: new Date(3000).toISOString() });
  });

  it('is written after the marker of the trial before, which the next trial does not wait for', async () => {
    const { client, stored } = slowStore();
    const before = new TrialMarker(marked, client, target(0), () => undefined);
    before.update(times({ ended: 3000 }));
    const after = new TrialMarker(
      { ...marked, trial: { id: 't2' } },
      client,
      target(0),
      () => undefined,
      before.settled(),
    );
    after.update(times({ prepare: 4000 }));
    await after.settled();
    expect(stored.map(({ trial }) => trial.id)).toEqual(['t', 't2']);
  });

  it('contains the offsets of the nodes’ clocks', async () => {
    const { client, stored } = slowStore();
    const marker = new TrialMarker(marked, client, target(60_000), () => undefined);
    marker.update(times({}));
    await marker.settled();
    expect(Math.abs(stored[0]!.clocks['n1']! - 60_000)).toBeLessThan(1000);
  });

  it('causes only a note if it cannot be written', async () => {
    const notes: string[] = [];
    const away: ElasticsearchClient = {
      request: () => Promise.reject(runError('elasticsearch.unreachable', 'x', 'nobody answers')),
    };
    const marker = new TrialMarker(marked, away, away, (note) => notes.push(note));
    marker.update(times({}));
    await marker.settled();
    expect(notes).toEqual([expect.stringContaining('nobody answers')]);
  });
});
