/** `always`, or only on the day. */
export type BirthdayIcon = 'always' | 'on-the-day';

/** Whether the birthday icon shows now: the day is 11 February in the server's time zone. */
export function showsBirthdayIcon(setting: BirthdayIcon, now: Date): boolean {
  return setting === 'always' || (now.getMonth() === 1 && now.getDate() === 11);
}
