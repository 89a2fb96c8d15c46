/** A problem in a grok pattern, with the information that its author needs to fix it. */
export interface PatternProblem {
  /** Name of the pattern with the problem; '' for the compiled pattern itself. */
  pattern: string;
  message: string;
  found?: string;
  allowed?: string;
}
