/** Sends requests to the cluster that stores the results, and converts failures to errors. */
import { asking } from '../elasticsearch/ask';

export const { ask, askIfThere, refusal, badAnswer } = asking('results');
