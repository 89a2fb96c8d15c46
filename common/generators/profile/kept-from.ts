/**
 * The smallest number of documents with a value that a profile may contain unchanged. It has a separate file because the command line loads
 * it at every start.
 */

/** Number of documents that must have a value before a profile may keep it: k of k-anonymity (Sweeney 2002), for this field alone. */
export const KEPT_FROM = 10;
