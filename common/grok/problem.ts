/** What is wrong with a grok pattern, worded so that its writer can fix it. */
export interface PatternProblem {
  /** Name of the pattern that it stands in; '' for the one that is asked for itself. */
  pattern: string;
  message: string;
  found?: string;
  allowed?: string;
}
