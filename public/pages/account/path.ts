/** Returns the path of the page of a published benchmark. `seed`: name of the benchmark. */
export const accountPath = (seed: string): string => `/accounts/${encodeURIComponent(seed)}`;
