/**
 * The minimum number of occurrences of a value before a profile may contain the value itself. This constant has a separate file, because
 * the command line needs it at every start, and the generators take long to load.
 */

/**
 * Minimum number of documents that must have a value before a profile may contain it: the k of k-anonymity (Sweeney 2002), applied to each
 * field separately.
 */
export const KEPT_FROM = 10;
