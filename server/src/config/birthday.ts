/** `always` when the operator asks for the icon, else it shows on the day only. */
export type BirthdayIcon = 'always' | 'on-the-day';

/** Whether the birthday icon shows at this moment: the day is 11 February by the server's own calendar. */
export function showsBirthdayIcon(setting: BirthdayIcon, now: Date): boolean {
  return setting === 'always' || (now.getMonth() === 1 && now.getDate() === 11);
}
