/** Routes of the host itself: its state, its collectors, and the certification of its load generator. */
import type { CERTIFICATION_ROUTES } from '../../common/api/certification';
import type { HOST_ROUTES } from '../../common/api/host';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export const hostHandlers = ({
  status,
  collector,
  certification,
}: Pick<Services, 'status' | 'collector' | 'certification'>): HandlersOf<
  typeof HOST_ROUTES & typeof CERTIFICATION_ROUTES
> => ({
  getStatus: () => status(),
  getCollector: () => collector(),
  getCertification: () => certification.status(),
  startCertification: () => certification.start(),
  cancelCertification: () => certification.cancel(),
});
