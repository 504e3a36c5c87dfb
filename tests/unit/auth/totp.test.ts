import { base32 } from '@parley/server/auth/factors/base32';
import { matchingStep, totpAt, totpUri } from '@parley/server/auth/factors/totp';
import { describe, expect, test } from 'vitest';

/** The secret of RFC 6238, appendix B, for SHA-1. */
const SECRET = Buffer.from('12345678901234567890');

describe('time-based codes', () => {
  // The last six digits of the eight in the appendix.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('equal those of RFC 6238 at %i seconds', (seconds, code) => {
    expect(totpAt(SECRET, Math.floor(seconds / 30))).toBe(code);
  });

  test('count for a clock that is off by up to a step, and no more', () => {
    const step = 40_000_000;
    const code = totpAt(SECRET, step);
    const at = (seconds: number) => matchingStep(SECRET, code, (step * 30 + seconds) * 1000);
    expect([0, 29, -1, -30, 59].map(at)).toEqual([step, step, step, step, step]);
    expect([-31, 60, 120].map(at)).toEqual([null, null, null]);
    expect(matchingStep(SECRET, `${code}0`, step * 30_000)).toBeNull();
    expect(matchingStep(SECRET, 'é23456', step * 30_000)).toBeNull();
  });

  test('are set up by an address in which names are encoded', () => {
    const uri = new URL(totpUri(SECRET, 'Our: site & more', 'a+b@example.com'));
    expect(decodeURIComponent(uri.pathname)).toBe('//totp/Our: site & more:a+b@example.com'.slice(uri.host ? 6 : 0));
    expect(uri.searchParams.get('issuer')).toBe('Our: site & more');
    expect(uri.searchParams.get('secret')).toBe(base32(SECRET));
  });
});

// RFC 4648, section 10, without its padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base 32 of "%s" is "%s"', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});
