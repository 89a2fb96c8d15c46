/** Routes of recorded traffic. */
import type { TRAFFIC_ROUTES } from '../../common/api/traffic';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export const trafficHandlers = ({ traffic }: Services): HandlersOf<typeof TRAFFIC_ROUTES> => ({
  listTraffic: () => traffic.list(),
  getTraffic: ({ query: { file } }) => traffic.survey(file),
});
