/** The tags that identify the experiments of a tuning. */

const TUNING = 'tuning';
const ID = /^tuning-\d{8}t\d{6}-\w+$/;

/** Returns all tags of an experiment that a tuning creates. `tags`: tags of the definition. `id`: id of the tuning. */
export const tuningTags = (tags: readonly string[], id: string): string[] => [
  ...new Set([...tags, TUNING, id]),
];

/** Returns the id of the tuning that made an experiment with these tags; null for an experiment of a user. */
export const tuningOf = (tags: readonly string[]): string | null =>
  tags.includes(TUNING) ? (tags.find((tag) => ID.test(tag)) ?? null) : null;

/** Returns the tags without those of a tuning. This is for a copy of a tuning's experiment, because the copy belongs to the user. */
export const withoutTuning = (tags: readonly string[]): string[] =>
  tuningOf(tags) === null ? [...tags] : tags.filter((tag) => tag !== TUNING && !ID.test(tag));
