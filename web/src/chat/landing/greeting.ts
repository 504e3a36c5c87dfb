/** The key of the greeting for an hour of the day, 0 to 23. */
export function greetingAt(hour: number) {
  if (hour >= 5 && hour < 12) return 'com_landing_morning';
  return hour >= 12 && hour < 18 ? 'com_landing_afternoon' : 'com_landing_evening';
}

/** How a person is greeted: the first of their names. */
export function firstName(name: string | null | undefined): string {
  return name?.trim().split(/\s+/)[0] ?? '';
}
