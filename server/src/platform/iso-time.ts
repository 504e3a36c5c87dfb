/** Converts a time of PostgreSQL or in milliseconds to ISO 8601. */
export function isoTime(time: string | number): string {
  return new Date(time).toISOString();
}
