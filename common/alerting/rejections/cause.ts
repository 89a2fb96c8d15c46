/** Identifies what rejected a bulk in Elasticsearch: the queue of the write thread pool, or indexing pressure. */
import { noCauses, type Causes } from './figures';

export type CauseKind = 'write-queue' | 'indexing-pressure' | 'mixed' | 'unknown';

const STAGES = ['coordinating', 'primary', 'replica'] as const;

const stagesOf = (causes: Causes): string[] => STAGES.filter((stage) => causes[stage] > 0);

export function causeKind(causes: Causes): CauseKind {
  const pressed = stagesOf(causes).length > 0;
  if (causes.queue > 0) return pressed ? 'mixed' : 'write-queue';
  return pressed ? 'indexing-pressure' : 'unknown';
}

export function causeInWords(causes: Causes): string {
  const stages = stagesOf(causes).join(', ');
  switch (causeKind(causes)) {
    case 'write-queue':
      return 'full write queue';
    case 'indexing-pressure':
      return `indexing pressure (${stages})`;
    case 'mixed':
      return `full write queue and indexing pressure (${stages})`;
    case 'unknown':
      return 'unknown';
  }
}

/**
 * Returns the cause from the reason of a 429. Only the first 300 characters of a reason are stored, so the end of the reason may be
 * missing. Undefined for any other reason, for example from a proxy or a circuit breaker.
 * - Indexing pressure: `rejected execution of primary operation [...]` (IndexingPressure.java).
 * - Full queue: `rejected execution of TimedRunnable{...} on ...Executor[name = node/write, ...]` (EsRejectedExecutionHandler.java).
 */
export function causeOfReason(reason: string): keyof Causes | undefined {
  if (!reason.startsWith('rejected execution of ')) return undefined;
  const stage = /^rejected execution of (\w+) operation \[/.exec(reason)?.[1];
  return STAGES.find((known) => known === stage) ?? 'queue';
}

/** Adds `more` to `into`, and returns `into`. */
export function addCauses(into: Causes, more: Partial<Causes>): Causes {
  for (const key of Object.keys(noCauses()) as (keyof Causes)[]) into[key] += more[key] ?? 0;
  return into;
}
