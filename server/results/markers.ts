/** Writes the marker of the trial that runs on a target. */
import { isDone } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { MARKERS, type Marker } from '../../common/measurement/marker';
import { refusal } from './answer';
import { searchIndex } from './search';

const keyword = { type: 'keyword' };
const date = { type: 'date' };

const INDEX = {
  settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
  mappings: {
    dynamic: 'strict',
    properties: {
      '@timestamp': date,
      cluster: { properties: { uuid: keyword } },
      run: { properties: { id: keyword } },
      experiment: { properties: { id: keyword, name: keyword } },
      trial: { properties: { id: keyword } },
      cell: { properties: { id: keyword, label: keyword } },
      phases: { properties: { phase: keyword, from: date, until: date } },
      // Node ids are names of fields: only read with the document, never searched.
      clocks: { type: 'object', enabled: false },
      ended: date,
    },
  },
};

/** Rejects with a DynoError `results.*` or as the client does; a run goes on without its marker. */
export async function saveMarker(client: ElasticsearchClient, marker: Marker): Promise<void> {
  const exists = await client.request({ method: 'HEAD', path: `/${MARKERS}` });
  if (exists.status === 404) await client.request({ method: 'PUT', path: `/${MARKERS}`, body: INDEX });
  const { status, body } = await client.request({
    method: 'PUT',
    path: `/${MARKERS}/_doc/${encodeURIComponent(marker.cluster.uuid)}`,
    body: marker,
  });
  if (!isDone({ status, body })) throw refusal(status, body, 'write the marker of the trial');
}

/** Ends the markers of a run whose carrier is gone, at `ended` (ISO 8601): nothing later belongs to its trial. */
export async function endMarkers(client: ElasticsearchClient, runId: string, ended: string): Promise<void> {
  const where = { index: MARKERS, what: 'the markers of trials' };
  const { hits } = await searchIndex<Marker>(client, where, {
    query: { term: { 'run.id': runId } },
    size: 100,
  });
  for (const { _source: marker } of hits) {
    if (marker.ended !== null) continue;
    const phases = marker.phases
      .filter(({ from }) => from < ended)
      .map((phase) => ({
        ...phase,
        until: phase.until === null || phase.until > ended ? ended : phase.until,
      }));
    await saveMarker(client, { ...marker, phases, ended });
  }
}
