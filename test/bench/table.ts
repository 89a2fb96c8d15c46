/** Prints a table of numbers in the terminal. */

export type Row = Record<string, string | number>;

export function print(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const width = (column: string): number =>
    Math.max(column.length, ...rows.map((row) => String(row[column] ?? '').length));
  const line = (cells: (column: string) => string): string =>
    columns
      .map((column, place) =>
        place === 0 ? cells(column).padEnd(width(column)) : cells(column).padStart(width(column)),
      )
      .join('   ');
  const lines = [line((column) => column), ...rows.map((row) => line((column) => String(row[column] ?? '')))];
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}

/** Formats a number with two decimals, or with three if its absolute value is below 0.1. */
export const figure = (value: number): string =>
  Math.abs(value) < 0.1 ? value.toFixed(3) : value.toFixed(2);
