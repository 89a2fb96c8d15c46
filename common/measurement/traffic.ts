/** Outcomes of every request of replayed traffic. Each recorded request is counted once, so none is lost silently. */

/** Counts over the whole load, warm-up included. `sent`, `leftOut` and `unsent` add up to `records`. */
export interface TrafficAccount {
  records: number;
  /** Number of requests that were sent to the target, whether it accepted them or not. */
  sent: number;
  /** Requests that cannot be replayed, or that the definition excludes. */
  leftOut: number;
  /** Number of requests that were read from the recording, but not sent by the end of the load. */
  unsent: number;
  /**
   * Number of `sent` requests that were sent late. They had to wait for the response to an earlier request on their connection, or for the
   * response that contains an id in the request, such as a scroll id.
   */
  waited: number;
  /**
   * Number of ids and versions of documents that were sent as in the recording, because the replay did not get corresponding ids or
   * versions from the target.
   */
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

/** Returns the number of recorded requests with a known outcome. It must equal `records`. */
export const trafficAccountedFor = ({ sent, leftOut, unsent }: TrafficAccount): number =>
  sent + leftOut + unsent;

/** Adds the counts in `more` to those in `into`, and returns `into`. */
export function addTraffic(into: TrafficAccount, more: TrafficAccount): TrafficAccount {
  for (const key of ['records', 'sent', 'leftOut', 'unsent', 'waited', 'untranslated'] as const)
    into[key] += more[key];
  for (const [why, count] of Object.entries(more.reasons))
    into.reasons[why] = (into.reasons[why] ?? 0) + count;
  return into;
}
