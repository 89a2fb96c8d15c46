/** Numbers that stand in the answers to a request, such as `took` or how many rows there were, over the answers that have them. */

/** So that threads and machines can be added up; plain data. */
export interface AnswerFigureRecord {
  /** Answers that have it. */
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** Of one trial. */
export interface AnswerFigureSummary {
  count: number;
  mean: number;
  min: number;
  max: number;
}

export const noFigure = (): AnswerFigureRecord => ({ count: 0, sum: 0, min: Infinity, max: -Infinity });

/** Adds what stands in one answer. */
export function noteFigure(record: AnswerFigureRecord, value: number): void {
  record.count += 1;
  record.sum += value;
  if (value < record.min) record.min = value;
  if (value > record.max) record.max = value;
}

/** Of all of them, by the names of the figures. */
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
