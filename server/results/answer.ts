/** Sends requests to the results cluster, and converts failures to errors. */
import { asking } from '../elasticsearch/ask';

export const { ask, askIfThere, refusal, badAnswer } = asking('results');
