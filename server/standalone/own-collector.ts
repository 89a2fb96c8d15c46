/** What this host does about collecting by itself: by its settings, and by what has arrived. */
import type { CollectorStatus } from '../../common/api/host';
import { readCollectorId } from './collector/start';
import { whyMissing } from './collector/files';
import type { PlaceOptions } from './host';
import { parseTime } from '../../common/units/time';

/** It ships once a second: silent for so long, or so long after the start, it is not at work, ms. */
const SILENT_MS = 30_000;

/** Asked with what has been shipped lately. */
export type OwnCollector = (shippers: CollectorStatus['shippers']) => Promise<CollectorStatus['own']>;

/** `dataFolder`: of the embedded Elasticsearch, where its collector has its folder; undefined where nothing is embedded. */
export async function ownCollector(
  { elasticsearch, collector }: Pick<PlaceOptions, 'elasticsearch' | 'collector'>,
  collectorFile: string | undefined,
  dataFolder: string | undefined,
): Promise<OwnCollector> {
  const off = (detail: string) => (): ReturnType<OwnCollector> => Promise.resolve({ state: 'off', detail });
  if ((elasticsearch ?? process.env['DYNO_ELASTICSEARCH']) !== undefined || dataFolder === undefined)
    return off('it runs beside the embedded Elasticsearch only: install one on your nodes');
  if (collector === false) return off('switched off by --no-collector');
  const why = await whyMissing(collectorFile);
  if (why !== undefined) return () => Promise.resolve({ state: 'missing', detail: why });
  const since = Date.now();
  return async (shippers) => {
    // Its events name the machines that they are about, by whatever name Elasticsearch has for them.
    const own = await readCollectorId(dataFolder);
    const ships = shippers.some(
      ({ id, lastSeen }) => id === own && Date.now() - parseTime(lastSeen) < SILENT_MS,
    );
    if (ships || Date.now() - since < SILENT_MS) return { state: 'running', detail: '' };
    return {
      state: 'failed',
      detail:
        'it has sent nothing lately; its log is in collector/logs, next to the data of the embedded Elasticsearch',
    };
  };
}
