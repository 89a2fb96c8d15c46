/**
 * Status of the dynobeat (Dyno's collector) that this host has started. It is derived from the host's settings and from the events that
 * have arrived.
 */
import type { CollectorStatus } from '../../common/api/host';
import { readCollectorId } from './collector/start';
import { whyMissing } from './collector/files';
import type { PlaceOptions } from './host';
import { parseTime } from '../../common/units/time';

/**
 * Time in ms without events from the collector after which it counts as failed. The first event after the start may also take this long.
 * The collector sends events every second.
 */
const SILENT_MS = 30_000;

/**
 * Returns the status of the collector that this host has started. `shippers`: all collectors that have recently sent events to the results
 * cluster.
 */
export type OwnCollector = (shippers: CollectorStatus['shippers']) => Promise<CollectorStatus['own']>;

/**
 * Creates the function that returns the status of this host's collector. `dataFolder`: data folder of the embedded Elasticsearch, which
 * contains the folder of its collector; undefined if there is no embedded Elasticsearch.
 */
export async function ownCollector(
  { elasticsearch, collector }: Pick<PlaceOptions, 'elasticsearch' | 'collector'>,
  collectorFile: string | undefined,
  dataFolder: string | undefined,
): Promise<OwnCollector> {
  const off = (detail: string) => (): ReturnType<OwnCollector> => Promise.resolve({ state: 'off', detail });
  if ((elasticsearch ?? process.env['DYNO_ELASTICSEARCH']) !== undefined || dataFolder === undefined)
    return off('it runs only next to the embedded Elasticsearch: install a collector on your nodes');
  if (collector === false) return off('switched off by --no-collector');
  const why = await whyMissing(collectorFile);
  if (why !== undefined) return () => Promise.resolve({ state: 'missing', detail: why });
  const since = Date.now();
  return async (shippers) => {
    // The collector of this host is recognised by its id, because its events contain the host names that Elasticsearch reports.
    const own = await readCollectorId(dataFolder);
    const ships = shippers.some(
      ({ id, lastSeen }) => id === own && Date.now() - parseTime(lastSeen) < SILENT_MS,
    );
    if (ships || Date.now() - since < SILENT_MS) return { state: 'running', detail: '' };
    return {
      state: 'failed',
      detail:
        'it has sent no events recently; its log is in collector/logs, next to the data of the embedded Elasticsearch',
    };
  };
}
