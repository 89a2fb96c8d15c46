/**
 * What may become of a document (or a search, or a transaction): the one list that counts, mappings, tables, dashboards,
 * pages and rules read. Another outcome is a line here and the place that counts it.
 */

/** A text of the pages with its id. */
interface Text {
  id: string;
  text: string;
}

interface OutcomeDescription {
  name: string;
  /** Its heading in tables, beside other outcomes. */
  label: Text;
  /** What it means, for notes under tables and charts: follows its label and a colon. */
  meaning: string;
  /** Behind a number of documents: `3 were rejected`. */
  words: string;
  /** One colour for one meaning, in light and dark. */
  colour: string;
  /** How a number above 0 is shown: as it is, as something to look at, or as something wrong. */
  tone: 'plain' | 'doubt' | 'bad';
  /** An end of a document, of which each has exactly one: it is in the sum that `attempted` is. Others count sendings. */
  ends: boolean;
  /** In the error rate: not in the index under test, as far as anybody knows, or as its client reads the answer. */
  error: boolean;
  /** Results of older versions of Dyno lack it: read as 0. */
  later: boolean;
  /** Only documents of some definitions can end so: tables leave it out where none did. */
  seldom: boolean;
}

/** In the order in which they are shown. */
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
    seldom: false,
  },
  {
    name: 'rejected',
    label: { id: 'dyno.outcome.rejected', text: 'rejected' },
    meaning: 'refused for load (429) after the last retry',
    words: 'were rejected',
    colour: '#e7664c',
    tone: 'bad',
    ends: true,
    error: true,
    later: false,
    seldom: false,
  },
  {
    name: 'failed',
    label: { id: 'dyno.outcome.failed', text: 'failed' },
    meaning: 'refused for another reason, or never sent since no connection was made',
    words: 'failed',
    colour: '#9170b8',
    tone: 'bad',
    ends: true,
    error: true,
    later: false,
    seldom: false,
  },
  {
    name: 'unknown',
    label: { id: 'dyno.outcome.unknown', text: 'unknown' },
    meaning: 'sent, and no usable answer ever came, so it may be stored or not',
    words: 'were never answered for',
    colour: '#5f6b7a',
    tone: 'bad',
    ends: true,
    error: true,
    later: true,
    seldom: false,
  },
  {
    name: 'conflicted',
    label: { id: 'dyno.outcome.conflicted', text: 'conflicted' },
    meaning: 'answered with a version conflict (409), so nothing was changed: another write came before it',
    words: 'met a version conflict',
    colour: '#6092c0',
    tone: 'doubt',
    ends: true,
    // The target answered as it should: what is created twice, or changed at once, is the work that was asked for.
    error: false,
    later: true,
    seldom: true,
  },
  {
    name: 'missing',
    label: { id: 'dyno.outcome.missing', text: 'missing' },
    meaning: 'an update or a delete of a document that was not there (404), so nothing was changed',
    words: 'were not there to be changed',
    colour: '#aa6556',
    tone: 'doubt',
    ends: true,
    error: false,
    later: true,
    seldom: true,
  },
  {
    name: 'dropped',
    label: { id: 'dyno.outcome.dropped', text: 'dropped' },
    meaning: 'answered as done, but an ingest pipeline dropped it, so no index holds it',
    words: 'were dropped by an ingest pipeline',
    colour: '#ca8eae',
    tone: 'bad',
    ends: true,
    // The answer has no error, but the index under test lacks the document. A gate on the error rate must notice that.
    error: true,
    later: true,
    seldom: true,
  },
  {
    name: 'redirected',
    label: { id: 'dyno.outcome.redirected', text: 'redirected' },
    meaning: 'stored in a failure store or in another index, so the index under test does not hold it',
    words: 'were stored in another index',
    colour: '#d36086',
    tone: 'bad',
    ends: true,
    error: true,
    later: true,
    seldom: true,
  },
  {
    name: 'disregarded',
    label: { id: 'dyno.outcome.disregarded', text: 'disregarded' },
    meaning: 'stored, in a bulk of which another document was not, where a bulk counts as a whole',
    words: 'were stored in bulks that count as failed',
    colour: '#b0916f',
    tone: 'bad',
    ends: true,
    // By the reading of the client that was asked for, for which the whole bulk failed.
    error: true,
    later: true,
    seldom: true,
  },
  {
    name: 'retried',
    label: { id: 'dyno.outcome.retried', text: 'retried' },
    meaning: 'sent again after a 429, once for each sending',
    words: 'were sent again',
    colour: '#d6bf57',
    tone: 'doubt',
    ends: false,
    error: false,
    later: false,
    seldom: false,
  },
] as const satisfies readonly OutcomeDescription[];

export type ListedOutcome = (typeof OUTCOMES)[number];
export type Outcome = ListedOutcome['name'];
/** Those that results of older versions lack. */
export type LaterOutcome = Extract<ListedOutcome, { later: true }>['name'];
export type OutcomeCounts = Record<Outcome, number>;

/** An object with a value for each outcome, in their order. */
export const forOutcomes = <Value>(valueOf: (outcome: ListedOutcome) => Value): Record<Outcome, Value> =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome.name, valueOf(outcome)])) as Record<Outcome, Value>;

/** Those whose sum is `attempted`. */
export const ENDS: readonly ListedOutcome[] = OUTCOMES.filter(({ ends }) => ends);
/** Those that the error rate counts. */
export const ERRORS: readonly ListedOutcome[] = OUTCOMES.filter(({ error }) => error);
type Trouble = Exclude<ListedOutcome, { tone: 'plain' }>;
/** Everything but what was accepted at once. */
export const TROUBLE: readonly Trouble[] = OUTCOMES.filter((one): one is Trouble => one.tone !== 'plain');

/** An object with a value for each of {@link TROUBLE}, in their order. */
export const forTrouble = <Value>(valueOf: (outcome: Trouble) => Value): Record<Trouble['name'], Value> =>
  Object.fromEntries(TROUBLE.map((one) => [one.name, valueOf(one)])) as Record<Trouble['name'], Value>;

/** Of these outcomes together; those that an older document lacks are none. */
export const sumOf = (outcomes: readonly ListedOutcome[], counts: Partial<OutcomeCounts>): number =>
  outcomes.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0);

/** `rejected, failed or unknown`. */
export const orWords = (outcomes: readonly ListedOutcome[]): string =>
  outcomes
    .map(({ label }) => label.text)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

/** `accepted + rejected + failed + unknown`, as notes write what `attempted` is: of those of `outcomes` that are ends. */
export const attemptedSum = (outcomes: readonly ListedOutcome[]): string =>
  outcomes.flatMap(({ ends, label }) => (ends ? [label.text] : [])).join(' + ');

/** Those that tables show: all but what is seldom, unless some of `counts` has it. */
export const shownOutcomes = (counts: readonly Partial<OutcomeCounts>[]): readonly ListedOutcome[] =>
  OUTCOMES.filter(({ name, seldom }) => !seldom || counts.some((own) => (own[name] ?? 0) > 0));
