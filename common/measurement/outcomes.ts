/**
 * Lists the outcomes of a document (or a search, or a transaction). Counts, mappings, tables, dashboards, pages and rules read this
 * list. To add an outcome, add an entry here and the code that counts it.
 */

/** A text of the user interface, with its id for translation. */
interface Text {
  id: string;
  text: string;
}

interface OutcomeDescription {
  name: string;
  /** Heading in tables. */
  label: Text;
  /** Meaning of the outcome. Notes under tables and charts show it after the label and a colon. */
  meaning: string;
  /** Words that follow a number of documents: `3 were rejected`. */
  words: string;
  /** Colour of the outcome in charts, for both themes. */
  colour: string;
  /** How a count above 0 is displayed: as a plain number, as a warning or as an error. */
  tone: 'plain' | 'warning' | 'bad';
  /**
   * Whether the outcome is final for a document. Each document has exactly one final outcome, so the counts of final outcomes add up to
   * `attempted`. `retried` is not final: it counts how often documents were sent again.
   */
  ends: boolean;
  /**
   * Whether documents with this outcome count in the error rate. They do if it is unknown whether they are in the index, or if a client
   * would consider them lost.
   */
  error: boolean;
  /** Whether results of older versions of Dyno lack this outcome. Its count is then read as 0. */
  later: boolean;
  /** Whether only some definitions can produce this outcome. Tables leave it out if its count is 0. */
  isRare: boolean;
}

/** All outcomes in display order. */
export const OUTCOMES = [
  {
    name: 'accepted',
    label: { id: 'dyno.outcome.accepted', text: 'accepted' },
    meaning: 'stored, or answered without failed shards',
    words: 'were accepted',
    colour: '#54b399',
    tone: 'plain',
    ends: true,
    error: false,
    later: false,
    isRare: false,
  },
  {
    name: 'rejected',
    label: { id: 'dyno.outcome.rejected', text: 'rejected' },
    meaning: 'rejected (429) after the last retry',
    words: 'were rejected',
    colour: '#e7664c',
    tone: 'bad',
    ends: true,
    error: true,
    later: false,
    isRare: false,
  },
  {
    name: 'failed',
    label: { id: 'dyno.outcome.failed', text: 'failed' },
    meaning: 'rejected for another reason, or never sent because no connection could be made',
    words: 'failed',
    colour: '#9170b8',
    tone: 'bad',
    ends: true,
    error: true,
    later: false,
    isRare: false,
  },
  {
    name: 'unknown',
    label: { id: 'dyno.outcome.unknown', text: 'unknown' },
    meaning: 'sent, but without a usable answer, so it may be stored or not',
    words: 'were never answered',
    colour: '#5f6b7a',
    tone: 'bad',
    ends: true,
    error: true,
    later: true,
    isRare: false,
  },
  {
    name: 'conflicted',
    label: { id: 'dyno.outcome.conflicted', text: 'conflicted' },
    meaning: 'version conflict (409): another write came first, so nothing was changed',
    words: 'had a version conflict',
    colour: '#6092c0',
    tone: 'warning',
    ends: true,
    // A conflict is a correct answer: the workload itself creates a document twice, or changes it concurrently.
    error: false,
    later: true,
    isRare: true,
  },
  {
    name: 'missing',
    label: { id: 'dyno.outcome.missing', text: 'missing' },
    meaning: 'update or deletion of a missing document (404), so nothing was changed',
    words: 'were missing (404)',
    colour: '#aa6556',
    tone: 'warning',
    ends: true,
    error: false,
    later: true,
    isRare: true,
  },
  {
    name: 'dropped',
    label: { id: 'dyno.outcome.dropped', text: 'dropped' },
    meaning: 'acknowledged, but dropped by an ingest pipeline, so no index contains it',
    words: 'were dropped by an ingest pipeline',
    colour: '#ca8eae',
    tone: 'bad',
    ends: true,
    // The answer has no error, but the index under test lacks the document. A build server that checks the error rate must notice that.
    error: true,
    later: true,
    isRare: true,
  },
  {
    name: 'redirected',
    label: { id: 'dyno.outcome.redirected', text: 'redirected' },
    meaning: 'stored in a failure store or in another index, so the index under test does not contain it',
    words: 'were stored in another index',
    colour: '#d36086',
    tone: 'bad',
    ends: true,
    error: true,
    later: true,
    isRare: true,
  },
  {
    name: 'disregarded',
    label: { id: 'dyno.outcome.disregarded', text: 'disregarded' },
    meaning: 'stored, but counted as failed because another document of its bulk was not stored',
    words: 'were stored in bulks that count as failed',
    colour: '#b0916f',
    tone: 'bad',
    ends: true,
    // In this mode of the definition, the client treats a bulk request with any failed document as failed as a whole.
    error: true,
    later: true,
    isRare: true,
  },
  {
    name: 'retried',
    label: { id: 'dyno.outcome.retried', text: 'retried' },
    meaning: 'sent again after a 429; each retry counts once',
    words: 'were sent again',
    colour: '#d6bf57',
    tone: 'warning',
    ends: false,
    error: false,
    later: false,
    isRare: false,
  },
] as const satisfies readonly OutcomeDescription[];

export type ListedOutcome = (typeof OUTCOMES)[number];
export type Outcome = ListedOutcome['name'];
/** Outcomes that results of older versions lack. */
export type LaterOutcome = Extract<ListedOutcome, { later: true }>['name'];
export type OutcomeCounts = Record<Outcome, number>;

/** Returns an object with a value for each outcome, in display order. */
export const forOutcomes = <Value>(valueOf: (outcome: ListedOutcome) => Value): Record<Outcome, Value> =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome.name, valueOf(outcome)])) as Record<Outcome, Value>;

/** Final outcomes. Their sum is `attempted`. */
export const ENDS: readonly ListedOutcome[] = OUTCOMES.filter(({ ends }) => ends);
/** Outcomes that the error rate counts. */
export const ERRORS: readonly ListedOutcome[] = OUTCOMES.filter(({ error }) => error);
type Trouble = Exclude<ListedOutcome, { tone: 'plain' }>;
/** All outcomes that tables and charts show as a warning or an error. Only `accepted` is not among them. */
export const TROUBLE: readonly Trouble[] = OUTCOMES.filter((one): one is Trouble => one.tone !== 'plain');

/** Returns an object with a value for each of {@link TROUBLE}, in display order. */
export const forTrouble = <Value>(valueOf: (outcome: Trouble) => Value): Record<Trouble['name'], Value> =>
  Object.fromEntries(TROUBLE.map((one) => [one.name, valueOf(one)])) as Record<Trouble['name'], Value>;

/** Returns the sum of these outcomes. An outcome that an older document lacks counts as 0. */
export const sumOf = (outcomes: readonly ListedOutcome[], counts: Partial<OutcomeCounts>): number =>
  outcomes.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0);

/** Returns the labels of the outcomes, joined by commas and `or`: `rejected, failed or unknown`. */
export const orWords = (outcomes: readonly ListedOutcome[]): string =>
  outcomes
    .map(({ label }) => label.text)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

/**
 * Returns how `attempted` is calculated, as a formula for notes: `accepted + rejected + failed + unknown`. Outcomes that are not final are
 * left out.
 */
export const attemptedSum = (outcomes: readonly ListedOutcome[]): string =>
  outcomes.flatMap(({ ends, label }) => (ends ? [label.text] : [])).join(' + ');

/** Returns the outcomes that tables show. A rare outcome is included only if one of `counts` contains it. */
export const shownOutcomes = (counts: readonly Partial<OutcomeCounts>[]): readonly ListedOutcome[] =>
  OUTCOMES.filter(({ name, isRare }) => !isRare || counts.some((own) => (own[name] ?? 0) > 0));
