import { describe, expect, test } from 'vitest';
import { initials } from '../../../../web/src/lib/initials.ts';

describe('the initials of a person', () => {
  test.each([
    ['Alice Example', 'AE'],
    ['alice', 'A'],
    ['Carol Anne van der Berg', 'CB'],
    ['  bob   builder ', 'BB'],
    ['José-María', 'JM'],
    ['李小龍', '李'],
    ['محمد علي', 'مع'],
    ['(carol) "cc" danvers', 'CD'],
    ['e\u0301va', 'E\u0301'],
    ['42 tests', '4T'],
    ['🎉 party', 'P'],
    ['🎉', '?'],
    ['', '?'],
  ])('of %j are %j', (name, letters) => {
    expect(initials(name)).toBe(letters);
  });
});
