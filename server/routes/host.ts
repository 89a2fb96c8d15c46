/** Routes of the host itself: its version and health, its collectors, the certification of its load generator, and its Elasticsearch. */
import type { ABOUT_ROUTES } from '../../common/api/about';
import type { CERTIFICATION_ROUTES } from '../../common/api/certification';
import type { DISTRIBUTION_ROUTES, DistributionStatus } from '../../common/api/distribution';
import type { HOST_ROUTES } from '../../common/api/host';
import { inputError } from '../../common/problem';
import type { HandlersOf } from './handler';
import type { DistributionService, Services } from './services';

export const hostHandlers = ({
  status,
  collector,
  collectorPackage,
  certification,
  distribution = NO_DISTRIBUTION,
  about,
}: Pick<
  Services,
  'status' | 'collector' | 'collectorPackage' | 'certification' | 'distribution' | 'about'
>): HandlersOf<
  typeof HOST_ROUTES & typeof CERTIFICATION_ROUTES & typeof DISTRIBUTION_ROUTES & typeof ABOUT_ROUTES
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
  getDistribution: () => distribution.status(),
  downloadDistribution: () => distribution.start(),
  cancelDistribution: () => distribution.cancel(),
});

const NOT_OFFERED: DistributionStatus = {
  offered: false,
  version: '',
  from: '',
  state: 'absent',
  doneBytes: 0,
  totalBytes: null,
  problem: '',
};

/** The distribution service for hosts that never start Elasticsearch. */
export const NO_DISTRIBUTION: DistributionService = {
  status: () => Promise.resolve(NOT_OFFERED),
  start: () =>
    Promise.reject(
      inputError('distribution.not-offered', '', 'this host does not start Elasticsearch, so it needs none'),
    ),
  cancel: () => Promise.resolve(NOT_OFFERED),
};
