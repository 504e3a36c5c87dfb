// The browser and the system of a User-Agent header, in words. More exact names come first: most browsers also call
// themselves Chrome and Safari.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bChromium\/|\bHeadlessChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Null for what is not known. */
export function describeDevice(userAgent: string | null): { browser: string | null; system: string | null } {
  return { browser: find(BROWSERS, userAgent), system: find(SYSTEMS, userAgent) };
}

function find(known: readonly (readonly [RegExp, string])[], userAgent: string | null): string | null {
  return known.find(([pattern]) => userAgent !== null && pattern.test(userAgent))?.[1] ?? null;
}
