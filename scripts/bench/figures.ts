// How a bench tells what it measured.

/** One line of a table; cells are written as they are. */
export interface Figure {
  name: string;
  /** What was measured, and what it is compared with. */
  cells: Record<string, string>;
  /** The target in words, and whether it is met; none where there is none. */
  target?: { words: string; met: boolean };
}

/** The middle one; of an even number, the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

export function atMost(value: number, limit: number, unit: string): Figure['target'] {
  return { words: `at most ${limit}${unit}`, met: value <= limit };
}

export function atLeast(value: number, limit: number, unit: string): Figure['target'] {
  return { words: `at least ${limit}${unit}`, met: value >= limit };
}

/** Prints a table; gives how many targets were missed. */
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
