/** Creates the status of a certification (a test of the load generator) for tests of pages. */
import type { CertificationStatus } from '../../../../common/api/certification';
import type { CertificationAnswer, CertifiedBehaviour } from '../../../../common/measurement/certification';

export const certificationStatus = (more: Partial<CertificationStatus>): CertificationStatus => ({
  machine: { host: 'bench', cores: 2 },
  dyno: '0.1.0',
  progress: null,
  problem: '',
  last: null,
  ...more,
});

const counts = { requests: 1500, accepted: 1500, rejected: 0 };

const MEASURED: CertifiedBehaviour[] = [
  {
    behaviour: 'constant',
    text: '5 ms',
    perSecond: 200,
    countsAreExact: true,
    said: counts,
    truth: counts,
    figures: [
      { of: 'latency', key: 'p50', said: 5.1, truth: 5, ownMs: 0.1, doubted: false, verdict: 'right' },
      { of: 'latency', key: 'p99', said: 5.9, truth: 5.2, ownMs: 0.5, doubted: false, verdict: 'stated' },
      { of: 'service', key: 'p50', said: 9, truth: 5, ownMs: null, doubted: true, verdict: 'doubted' },
      { of: 'service', key: 'p99', said: 9.4, truth: 5.2, ownMs: 0.1, doubted: false, verdict: 'wrong' },
    ],
  },
];

export const lastCertification = (
  answer: CertificationAnswer,
  why: string,
): NonNullable<CertificationStatus['last']> => ({
  certification: {
    answer,
    why,
    at: '2026-11-22T21:50:10.000Z',
    dyno: '0.1.0',
    machine: { host: 'bench', cores: 2, memoryBytes: 8e9, node: 'v22.1.0', os: 'Linux 6.1' },
  },
  measured: MEASURED,
});
