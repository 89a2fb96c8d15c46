/** Numbers that Dyno reads from the responses to a request, such as `took` or the number of rows. */

/**
 * Count, sum and range of one number, such as `took`, over many responses. It is plain data, so threads and machines can send their records
 * to each other, and the records can be added up.
 */
export interface AnswerFigureRecord {
  /** Number of responses in which the number was found. */
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** Summary of one number, such as `took`, over the responses of a trial. */
export interface AnswerFigureSummary {
  count: number;
  mean: number;
  min: number;
  max: number;
}

export const noFigure = (): AnswerFigureRecord => ({ count: 0, sum: 0, min: Infinity, max: -Infinity });

/** Adds the number in one response to `record`. */
export function noteFigure(record: AnswerFigureRecord, value: number): void {
  record.count += 1;
  record.sum += value;
  if (value < record.min) record.min = value;
  if (value > record.max) record.max = value;
}

/**
 * Adds up the records of several parts of the load, such as load threads. The key of a record is the name of its number, such as `took`.
 */
export function joinFigures(
  parts: readonly Readonly<Record<string, AnswerFigureRecord>>[],
): Record<string, AnswerFigureRecord> {
  const joined: Record<string, AnswerFigureRecord> = {};
  for (const [name, { count, sum, min, max }] of parts.flatMap((part) => Object.entries(part))) {
    const all = (joined[name] ??= noFigure());
    all.count += count;
    all.sum += sum;
    all.min = Math.min(all.min, min);
    all.max = Math.max(all.max, max);
  }
  return joined;
}

export const figureSummaries = (
  records: Readonly<Record<string, AnswerFigureRecord>>,
): Record<string, AnswerFigureSummary> =>
  Object.fromEntries(
    Object.entries(records).map(([name, { count, sum, min, max }]) => [
      name,
      { count, mean: sum / count, min, max },
    ]),
  );
