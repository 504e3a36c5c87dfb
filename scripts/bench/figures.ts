// Prints the results of benches.

/** One line of a table; cells are written as they are. */
export interface Figure {
  name: string;
  /** The measured values and their baseline. */
  cells: Record<string, string>;
  /** The target as text, and whether it is met; absent when there is none. */
  target?: Target;
}

export interface Target {
  words: string;
  met: boolean;
}

/** The median; for an even count, the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** The 95th percentile. */
export function nearlyAll(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN;
}

/** How long it takes, in milliseconds. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** A time as a cell. */
export function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

export function atMost(value: number, limit: number, unit: string): Target {
  return { words: `at most ${limit}${unit}`, met: value <= limit };
}

export function atLeast(value: number, limit: number, unit: string): Target {
  return { words: `at least ${limit}${unit}`, met: value >= limit };
}

/** Prints a table and returns how many targets were missed. */
export function printFigures(title: string, figures: Figure[]): number {
  const columns = [...new Set(figures.flatMap(({ cells }) => Object.keys(cells)))];
  const rows = [
    ['', ...columns, 'target', ''],
    ...figures.map(({ name, cells, target }) => [
      name,
      ...columns.map((column) => cells[column] ?? ''),
      target?.words ?? '',
      target ? (target.met ? 'ok' : 'missed') : '',
    ]),
  ];
  const widths = rows[0]?.map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0))) ?? [];
  console.log(`\n${title}\n`);
  for (const row of rows)
    console.log(
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  return figures.filter(({ target }) => target && !target.met).length;
}
