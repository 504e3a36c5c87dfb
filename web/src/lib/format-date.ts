/** A localized date; for today, with the time. */
export function formatDate(iso: string, locale: string, now = new Date()): string {
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

/** A localized date and time, to the minute. */
export function formatDateTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}
