/** Reads how much was rejected in a window of time, for the alerts: what the clients saw, or what the nodes did. */
import type { TimeWindow, WindowFigures } from '../../common/alerting/rejections/figures';
import type { Watched } from '../../common/alerting/rejections/params';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { readDocumentRejections } from './rejections-documents';
import { readNodeRejections } from './rejections-nodes';
import type { SpaceId } from './space';

export interface RejectionsReader {
  /**
   * One entry for each group that has data in the window. Rejects with a DynoError `results.unauthorised`,
   * `results.forbidden` or `results.refused`, or as the client does.
   */
  read(watched: Watched, window: TimeWindow): Promise<WindowFigures[]>;
}

/** Clients' figures are those of the experiments of `space`; nodes belong to no space. */
export const createRejectionsReader = (client: ElasticsearchClient, space: SpaceId): RejectionsReader => ({
  read: (watched, window) =>
    watched.measure === 'documents'
      ? readDocumentRejections(client, space, watched, window)
      : readNodeRejections(client, space, watched, window),
});
