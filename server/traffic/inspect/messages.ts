/** Messages to the host from the thread that summarizes (surveys) a file with traffic. */
import type { Problem, ProblemKind } from '../../../common/problem';
import type { FileSurvey } from './survey-file';

export type FromSurvey =
  | { read: number; of: number | null }
  | { answer: FileSurvey }
  | { kind: ProblemKind; problems: readonly Problem[] };
