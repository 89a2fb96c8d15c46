/** Asks the cluster under test. */
import { asking } from '../elasticsearch/ask';

export const { ask, askIfThere, askIfOffered, refusal, badAnswer } = asking('target');

/** The code of an answer that Elasticsearch would not give: what it says is not known. */
export const BAD_ANSWER = 'target.bad-answer';

/** What `read` makes of an answer. Throws {@link badAnswer} where it does not have the form that `read` counts on. */
export function understood<T>(doing: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw badAnswer(doing, 'parts of it have another form');
  }
}
