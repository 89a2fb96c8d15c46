/**
 * Counts how many responses of a replay are equal to the recorded responses in all compared parts (*alike*), and for which requests the
 * responses differ.
 */
import {
  compareAnswers,
  type Difference,
  type DifferenceKind,
  type NotCompared,
  type OwnAnswer,
} from '../traffic/compare';
import type { TrafficKind } from '../traffic/kind';
import type { TrafficRecord } from '../traffic/record';
import { pathShape } from '../traffic/shape';

/** One recorded response and the replay's response to the same request, which differ. Contains no value of a document. */
export interface AnswerExample {
  difference: DifferenceKind;
  recorded: string;
  own: string;
}

/**
 * Counts of the responses to all requests with the same *shape*: the same method and the same path, except for ids and other values in the
 * path.
 */
export interface ShapeAnswers {
  /** The shape, such as `POST /shop/_search`. {@link OTHER_SHAPES} stands for all shapes that are not listed separately. */
  shape: string;
  /** Number of compared responses. */
  compared: number;
  different: number;
  /**
   * Number of responses that differ from the recorded ones. The key is the part of the response in which they differ, such as the status.
   */
  differences: Record<string, number>;
  /** The first pairs of a recorded response and a response of the replay that differ. */
  examples: AnswerExample[];
}

/** Counts of all responses to a task's requests over the whole load, warm-up included. */
export interface AnswerAccount {
  alike: number;
  /**
   * Number of responses that count as `alike` although their number of hits differs slightly. They are responses to searches shortly before
   * or after a write. A refresh may have made the written documents visible earlier or later than in the recording (`refresh-window`).
   */
  byRefresh: number;
  different: number;
  /**
   * Number of responses that differ from the recorded ones. The key is the part of the response in which they differ, such as the status.
   */
  differences: Record<string, number>;
  /** Number of responses that could not be compared, by reason. */
  notCompared: Record<string, number>;
  /** Counts for each kind of request, in the order in which the kinds first occurred. */
  shapes: ShapeAnswers[];
}

/** Maximum number of kinds of requests that are counted separately. All others are counted together. */
export const MOST_SHAPES = 100;
export const OTHER_SHAPES = 'other requests';
const MOST_EXAMPLES = 3;
/** Maximum length of a stored value, in characters. */
const LONGEST_VALUE = 100;

export const noAnswers = (): AnswerAccount => ({
  alike: 0,
  byRefresh: 0,
  different: 0,
  differences: {},
  notCompared: {},
  shapes: [],
});

/** Share of the compared responses that are alike, in [0, 1]; null if no response could be compared. */
export const alikeShare = ({ alike, different }: Pick<AnswerAccount, 'alike' | 'different'>): number | null =>
  alike + different === 0 ? null : alike / (alike + different);

/** Number of responses that could not be compared. */
export const notComparedOf = ({ notCompared }: AnswerAccount): number =>
  Object.values(notCompared).reduce((sum, count) => sum + count, 0);

function increase(counts: Record<string, number>, key: string, by = 1): void {
  counts[key] = (counts[key] ?? 0) + by;
}

const addAll = (into: Record<string, number>, more: Readonly<Record<string, number>>): void => {
  for (const [key, count] of Object.entries(more)) increase(into, key, count);
};

/** Returns the counts for a kind of request in `account`, and adds them if necessary. */
function shapeIn(account: AnswerAccount, shapes: Map<string, ShapeAnswers>, name: string): ShapeAnswers {
  const isOther = !shapes.has(name) && shapes.size >= MOST_SHAPES;
  const shape = isOther ? OTHER_SHAPES : name;
  const known = shapes.get(shape);
  if (known !== undefined) return known;
  const own: ShapeAnswers = { shape, compared: 0, different: 0, differences: {}, examples: [] };
  shapes.set(shape, own);
  account.shapes.push(own);
  return own;
}

/** Adds examples up to the limit. Examples that are already stored are skipped. The examples therefore show different differences. */
function addExamples(shape: ShapeAnswers, more: readonly AnswerExample[]): void {
  for (const example of more) {
    const isKnown = shape.examples.some(
      ({ difference, recorded, own }) =>
        difference === example.difference && recorded === example.recorded && own === example.own,
    );
    if (!isKnown && shape.examples.length < MOST_EXAMPLES) shape.examples.push(example);
  }
}

/** Compares the responses to the requests of one load thread with the recorded ones, and counts the results. */
export class AnswerComparer {
  private readonly counted = noAnswers();
  private readonly shapes = new Map<string, ShapeAnswers>();

  /**
   * Compares a response of the replay with the recorded one, and counts the result. Returns the difference; null if the responses are alike
   * or cannot be compared.
   *
   * `own`: the response of the replay; its status is 0 if the target did not respond in time. `written`: number of documents that were
   * written shortly before or after the search. Must not be called for requests that were aborted at the end of the load.
   */
  compare(
    { method, path, answer }: Pick<TrafficRecord, 'method' | 'path' | 'answer'>,
    kind: TrafficKind,
    own: OwnAnswer,
    written = 0,
  ): Difference | null {
    const { counted } = this;
    const comparison = compareAnswers(answer, own, written);
    if (comparison.outcome === 'not-compared') {
      increase(counted.notCompared, comparison.why satisfies NotCompared);
      return null;
    }
    const shape = shapeIn(counted, this.shapes, `${method} ${pathShape(path, kind)}`);
    shape.compared += 1;
    if (comparison.outcome === 'alike') {
      counted.alike += 1;
      if (comparison.byRefresh) counted.byRefresh += 1;
      return null;
    }
    const { difference } = comparison;
    counted.different += 1;
    increase(counted.differences, difference.kind);
    shape.different += 1;
    increase(shape.differences, difference.kind);
    addExamples(shape, [
      {
        difference: difference.kind,
        recorded: difference.recorded.slice(0, LONGEST_VALUE),
        own: difference.own.slice(0, LONGEST_VALUE),
      },
    ]);
    return difference;
  }

  /** Returns a copy of the counts so far. */
  account(): AnswerAccount {
    return addAnswers(noAnswers(), this.counted);
  }
}

/** Adds the counts in `more` to those in `into`, and returns `into`. */
export function addAnswers(into: AnswerAccount, more: AnswerAccount): AnswerAccount {
  into.alike += more.alike;
  into.byRefresh += more.byRefresh;
  into.different += more.different;
  addAll(into.differences, more.differences);
  addAll(into.notCompared, more.notCompared);
  const shapes = new Map(into.shapes.map((shape) => [shape.shape, shape]));
  for (const { shape, compared, different, differences, examples } of more.shapes) {
    const own = shapeIn(into, shapes, shape);
    own.compared += compared;
    own.different += different;
    addAll(own.differences, differences);
    addExamples(own, examples);
  }
  return into;
}
