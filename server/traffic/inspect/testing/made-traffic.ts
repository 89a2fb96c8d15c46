/** Writes files with traffic of a simulated shop, for tests. */
import { madeRecord } from '../../../../common/survey/testing/made-records';
import { TrafficWriter, type TrafficWriterOptions } from '../../../traffic-file/writer';

export const STARTED_AT = Date.UTC(2026, 10, 27, 12);

/** Writes a recording of `requests` requests, one every 10 ms. In turn: two searches, a bulk, and a request to the cluster. */
export async function writeShop(
  file: string,
  requests = 400,
  options: TrafficWriterOptions = {},
): Promise<void> {
  const writer = await TrafficWriter.open(
    file,
    { startedAt: STARTED_AT, origin: 'record', share: 1 },
    options,
  );
  for (let at = 0; at < requests; at += 1) {
    const place = {
      at: at * 10_000,
      connection: at % 4,
      order: Math.floor(at / 4),
      client: `10.0.0.${1 + (at % 2)}`,
    };
    const made = [
      madeRecord('POST /shop/_search', {
        ...place,
        text: `{"query":{"match":{"title":"term ${at % 100}"}}}`,
        ms: 8,
      }),
      madeRecord('POST /shop/_search', {
        ...place,
        text: `{"size":0,"aggs":{"b":{"terms":{"field":"brand"}}}}`,
        ms: 20,
      }),
      madeRecord('POST /_bulk', {
        ...place,
        text: `{"index":{"_index":"orders-2026.11.27"}}\n{"n":${at}}\n`,
        ms: 30,
      }),
      madeRecord('GET /_cluster/health', { ...place, ms: 1 }),
    ];
    await writer.write(made[at % 4]!);
  }
  await writer.close();
}
