/** Losses in a reader of traffic: numbers and examples of what it could not read, or left out. */

/**
 * Kinds of losses. A reader counts everything that it skips. The values are words for a text such as `2 blocks damaged`: the noun in
 * singular and plural, and what happened.
 */
const KINDS = {
  dropped: ['request', 'requests', 'dropped by the recorder, because its disk was too slow or full'],
  'damaged-block': ['block', 'blocks', 'damaged'],
  'missing-block': ['block', 'blocks', 'missing'],
  'lost-record': ['request', 'requests', 'lost in damaged blocks'],
  'incomplete-body': ['request', 'requests', 'left out, because a part of the body is missing'],
  malformed: ['entry', 'entries', 'malformed'],
  unfinished: ['file', 'files', 'not finished: the recorder was killed, or is still recording'],
  cut: ['file', 'files', 'read only in part, because the rest is damaged or missing'],
  'too-large': ['entry', 'entries', 'too large'],
  'no-body': ['request', 'requests', 'left out, because the file does not contain their bodies'],
  'other-host': ['request', 'requests', 'to other hosts left out'],
  'further-host': ['request', 'requests', 'to further hosts, read as requests to the same cluster'],
  'base-path': ['request', 'requests', 'read without the path of a proxy in front of the cluster'],
  kibana: ['search', 'searches', 'of Kibana left out; record between Kibana and the cluster to get them'],
  cached: ['request', 'requests', 'left out, because the cache of the browser answered them'],
  'no-duration': ['answer', 'answers', 'without a duration, which latency therefore leaves out'],
  'cut-body': ['request', 'requests', 'left out, because their bodies are cut off'],
  'other-event': ['event', 'events', 'without a request left out'],
  'other-line': ['line', 'lines', 'of other logs left out'],
  'other-answer': ['answer', 'answers', 'without a request left out'],
  'replayed-answer': ['answer', 'answers', 'to replayed requests left out'],
  repeated: ['line', 'lines', 'about requests that were already read'],
  'out-of-order': ['request', 'requests', 'sent later than recorded, because the file is not sorted'],
  'missing-file': ['file', 'files', 'missing'],
  link: ['symbolic link', 'symbolic links', 'to further files not followed'],
  'other-recording': ['file', 'files', 'of another recording ignored'],
  'further-part': ['further file', 'further files', 'of GoReplay not read; append them with cat'],
  'earlier-file': [
    'earlier file',
    'earlier files',
    'of the recording not read; name the first one to read all',
  ],
} as const satisfies Record<string, readonly [one: string, many: string, what: string]>;

export type LossKind = keyof typeof KINDS;

export interface Loss {
  kind: LossKind;
  count: number;
  /** Text about the loss, such as `2 blocks damaged`. */
  text: string;
  /** Examples of the loss, each with its position and the problem. They are the first ones that differ. */
  examples: readonly string[];
}

/** Returns the text about a loss with its examples. */
export const lossText = ({ text, examples }: Loss): string =>
  examples.length === 0 ? text : `${text} (${examples.join('; ')})`;

const MOST_EXAMPLES = 3;

export class Losses {
  private readonly found = new Map<LossKind, { count: number; examples: string[] }>();

  /** Counts a loss. `example`: its position and the problem. */
  add(kind: LossKind, count: number, example?: string): void {
    if (count <= 0) return;
    const loss = this.found.get(kind) ?? { count: 0, examples: [] };
    this.found.set(kind, loss);
    loss.count += count;
    if (example === undefined || loss.examples.length === MOST_EXAMPLES) return;
    if (!loss.examples.includes(example)) loss.examples.push(example);
  }

  /** Returns the losses so far. */
  list(): readonly Loss[] {
    return [...this.found].map(([kind, { count, examples }]) => {
      const [one, many, what] = KINDS[kind];
      return { kind, count, text: `${count} ${count === 1 ? one : many} ${what}`, examples: [...examples] };
    });
  }
}
