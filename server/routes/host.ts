/** Routes of the host itself and of the collectors. */
import type { HOST_ROUTES } from '../../common/api/host';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export const hostHandlers = (
  services: Pick<Services, 'status' | 'collector'>,
): HandlersOf<typeof HOST_ROUTES> => ({
  getStatus: () => services.status(),
  getCollector: () => services.collector(),
});
