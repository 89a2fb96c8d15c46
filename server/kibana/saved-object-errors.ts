/** Reads the errors of Kibana's saved objects client. */

/** Returns the HTTP status of an error. Undefined if the saved objects client did not throw it. */
export const statusOfFailure = (error: unknown): number | undefined =>
  (error as { output?: { statusCode?: number } } | null)?.output?.statusCode;

/** Returns the result of `work`. If `work` fails with one of `statuses`, returns undefined. */
export async function unless<T>(statuses: readonly number[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (statuses.includes(statusOfFailure(error) ?? 0)) return undefined;
    throw error;
  }
}

/**
 * Returns whether a version has the form that Kibana expects: base64 of `[sequence number, primary term]`. Other texts must not be sent to
 * Kibana. It would respond with a different error, or treat the text as if it matched any version.
 */
export const isVersion = (version: string): boolean => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(version, 'base64').toString('utf8'));
    return (
      Array.isArray(parts) &&
      parts.length === 2 &&
      parts.every(Number.isSafeInteger) &&
      (parts as [number, number])[0] >= 0 &&
      (parts as [number, number])[1] >= 1
    );
  } catch {
    return false;
  }
};
