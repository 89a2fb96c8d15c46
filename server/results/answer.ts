/** Asks the cluster that keeps the results. */
import { asking } from '../elasticsearch/ask';

export const { ask, askIfThere, refusal, badAnswer } = asking('results');
