/** A problem in a grok pattern, with the information that its author needs to fix it. */
export interface PatternProblem {
  /** Name of the custom pattern that has the problem; '' if the problem is in the compiled pattern itself. */
  pattern: string;
  message: string;
  found?: string;
  allowed?: string;
}
