/** Asks the cluster under test. */
import { asking } from '../elasticsearch/ask';

export const { ask, askIfThere, askIfOffered, refusal, badAnswer } = asking('target');

/** The code of an answer that Elasticsearch would not give: what it says is not known. */
export const BAD_ANSWER = 'target.bad-answer';
