/** Returns the path of a published benchmark's page. */
export const accountPath = (seed: string): string => `/accounts/${encodeURIComponent(seed)}`;
