/** A part of a long list. */
export interface Page<T> {
  rows: readonly T[];
  /** From 0; the last one if the wanted page does not exist any more. */
  index: number;
  count: number;
}

/** The page with this index, of `size` rows each. */
export function paginate<T>(rows: readonly T[], wanted: number, size: number): Page<T> {
  const count = Math.max(1, Math.ceil(rows.length / size));
  const index = Math.max(0, Math.min(wanted, count - 1));
  return { rows: rows.slice(index * size, (index + 1) * size), index, count };
}
