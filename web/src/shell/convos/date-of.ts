/** A day in the reader's words; with the time of day when it is today. */
export function dateOf(iso: string, locale: string, now = new Date()): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === now.toDateString();
  const isThisYear = date.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(
    locale,
    isToday
      ? { hour: 'numeric', minute: '2-digit' }
      : { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) },
  ).format(date);
}
