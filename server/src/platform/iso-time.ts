/** Converts PostgreSQL's time format to ISO 8601. */
export function isoOf(time: string): string {
  return new Date(time).toISOString();
}
