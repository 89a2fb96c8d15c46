/**
 * Minimum number of documents that must have a value before a profile may store the value itself. The constant has its own file, so that
 * the command line need not load the generators at every start.
 */

/** The minimum: k of k-anonymity (Sweeney 2002), for each field separately. */
export const KEPT_FROM = 10;
