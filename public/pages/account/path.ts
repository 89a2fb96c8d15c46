/** Where the page of an account is. */
export const accountPath = (seed: string): string => `/accounts/${encodeURIComponent(seed)}`;
