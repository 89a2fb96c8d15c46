/** Outcomes of every record of replayed traffic. Each record is counted once, so no request is lost silently. */

/** Counts over the whole load, warm-up included. `sent`, `leftOut` and `unsent` add up to `records`. */
export interface TrafficAccount {
  records: number;
  /** Requests sent to the target, whatever its answer. */
  sent: number;
  /** Requests that cannot be replayed, or that the definition excludes. */
  leftOut: number;
  /** Requests read and not yet sent when the load ended. */
  unsent: number;
  /** Number of `sent` requests that waited for an earlier answer of their connection, or for the answer with an id, after they were due. */
  waited: number;
  /** Number of ids and versions that were sent as recorded, because the replay has no own ones for them. */
  untranslated: number;
  /** Number of `leftOut` requests, by reason. */
  reasons: Record<string, number>;
}

export const noTraffic = (): TrafficAccount => ({
  records: 0,
  sent: 0,
  leftOut: 0,
  unsent: 0,
  waited: 0,
  untranslated: 0,
  reasons: {},
});

/** Number of records with a known outcome, which must equal `records`. */
export const trafficAccountedFor = ({ sent, leftOut, unsent }: TrafficAccount): number =>
  sent + leftOut + unsent;

/** Adds `more` to `into`, in place. */
export function addTraffic(into: TrafficAccount, more: TrafficAccount): TrafficAccount {
  for (const key of ['records', 'sent', 'leftOut', 'unsent', 'waited', 'untranslated'] as const)
    into[key] += more[key];
  for (const [why, count] of Object.entries(more.reasons))
    into.reasons[why] = (into.reasons[why] ?? 0) + count;
  return into;
}
