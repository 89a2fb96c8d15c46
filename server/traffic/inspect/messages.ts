/** Messages from the thread that surveys a file to the host. */
import type { Problem, ProblemKind } from '../../../common/problem';
import type { FileSurvey } from './survey-file';

export type FromSurvey =
  | { read: number; of: number | null }
  | { answer: FileSurvey }
  | { kind: ProblemKind; problems: readonly Problem[] };
