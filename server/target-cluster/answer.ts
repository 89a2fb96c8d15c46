/** Sends requests to the cluster under test. */
import { asking } from '../elasticsearch/ask';

export const { ask, askIfThere, askIfOffered, refusal, badAnswer } = asking('target');

/** Error code of a response that is not in Elasticsearch's format, such as the page of a proxy. */
export const BAD_ANSWER = 'target.bad-answer';
