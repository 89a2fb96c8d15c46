/** From how many documents on a value may stand in a profile as it is; by itself, for the command line reads it at every start. */

/** Documents that have a value before it may be kept: k of k-anonymity (Sweeney 2002), for this one field. */
export const KEPT_FROM = 10;
