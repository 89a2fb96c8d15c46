/** Writes and ends markers. A marker is a document that shows Dyno's collector which trial is running on a target. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { MARKERS, type Marker } from '../../common/measurement/marker';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { makeIndex } from './own-index';
import { searchIndex } from './search';

const keyword = { type: 'keyword' };
const date = { type: 'date' };

const INDEX = {
  name: MARKERS,
  properties: {
    '@timestamp': date,
    cluster: { properties: { uuid: keyword } },
    run: { properties: { id: keyword } },
    experiment: { properties: { id: keyword, name: keyword } },
    trial: { properties: { id: keyword } },
    cell: { properties: { id: keyword, label: keyword } },
    phases: { properties: { phase: keyword, from: date, until: date } },
    // Node ids are field names in `clocks`. `clocks` is only returned with the document and never searched.
    clocks: { type: 'object', enabled: false },
    ended: date,
  },
};

/** Writes a marker. Rejects with a DynoError `results.*` or with the errors of the client. A run should continue even if this fails. */
export async function saveMarker(client: ElasticsearchClient, marker: Marker): Promise<void> {
  const doing = 'write the marker of the trial';
  await makeIndex(client, INDEX, doing);
  await ask(client, api.putDocument(MARKERS, marker.cluster.uuid, marker), doing);
}

/**
 * Ends the markers of a run whose process has ended. Later events of Dyno's collector then do not belong to a trial of the run. `ended`:
 * end of the run, in ISO 8601.
 */
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
