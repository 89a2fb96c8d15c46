/** Sends requests to the cluster that stores the results. */
import { asking } from '../elasticsearch/ask';

export const { ask, askIfThere, refusal, badAnswer } = asking('results');
