/** Routes of the host itself: its version and health, its collectors, and the certification of its load generator. */
import type { ABOUT_ROUTES } from '../../common/api/about';
import type { CERTIFICATION_ROUTES } from '../../common/api/certification';
import type { HOST_ROUTES } from '../../common/api/host';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export const hostHandlers = ({
  status,
  collector,
  collectorPackage,
  certification,
  about,
}: Pick<Services, 'status' | 'collector' | 'collectorPackage' | 'certification' | 'about'>): HandlersOf<
  typeof HOST_ROUTES & typeof CERTIFICATION_ROUTES & typeof ABOUT_ROUTES
> => ({
  getStatus: () => status(),
  getCollector: () => collector(),
  makeCollectorPackage: ({ body }) => collectorPackage(body),
  getAbout: () => about.look(),
  getAboutPaths: () => about.paths(),
  makeSupportBundle: () => about.bundle(),
  getCertification: () => certification.status(),
  startCertification: () => certification.start(),
  cancelCertification: () => certification.cancel(),
});
