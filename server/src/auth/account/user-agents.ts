// What a User-Agent header contains: as much as a person needs to recognise a device.

/** From the most special to the most common: most browsers name others, too. */
const BROWSERS: readonly [token: string, name: string][] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const SYSTEMS: readonly [token: string, name: string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
];

/** Null for one that is not known, such as a program. */
export function browserName(userAgent: string): string | null {
  return nameIn(BROWSERS, userAgent);
}

/** Null for one that is not known. */
export function systemName(userAgent: string): string | null {
  return nameIn(SYSTEMS, userAgent);
}

function nameIn(names: readonly [token: string, name: string][], userAgent: string): string | null {
  return names.find(([token]) => userAgent.includes(token))?.[1] ?? null;
}
