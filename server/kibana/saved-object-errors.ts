/** Interprets the errors of Kibana's saved objects client. */

/** Returns the HTTP status of an error. Undefined if the error does not come from the saved objects client. */
export const statusOfFailure = (error: unknown): number | undefined =>
  (error as { output?: { statusCode?: number } } | null)?.output?.statusCode;

/** Returns the result of `work`. If `work` rejects with an error that has one of these HTTP statuses, returns undefined. */
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
 * Kibana. Kibana would respond with a different error, or accept the text as if any version matched.
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
