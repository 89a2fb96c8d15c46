/** That the load generator was held against targets of known behaviour: when, on which machine, and what came out. */
import type { GeneratorMachine } from './instrument';

/** `busy`: others had so much of the machine that nothing can be said of the instrument. */
export type CertificationAnswer = 'certified' | 'not-certified' | 'busy';

export interface Certification {
  answer: CertificationAnswer;
  /** Why, or what was certified: a clause. */
  why: string;
  /** ISO 8601, UTC. */
  at: string;
  /** Version of Dyno. */
  dyno: string;
  machine: GeneratorMachine;
}

const ANSWERS: Readonly<Record<CertificationAnswer, string>> = {
  certified: 'certified',
  'not-certified': 'not certified',
  busy: 'neither certified nor refuted',
};

/** `certified on 2026-11-22 21:50 UTC on bench (2 cores) by Dyno 0.1.0: ...`. */
export const sayCertification = ({ answer, why, at, dyno, machine }: Certification): string =>
  `${ANSWERS[answer]} on ${at.slice(0, 10)} ${at.slice(11, 16)} UTC on ${machine.host} (${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}) by Dyno ${dyno}: ${why}`;
