import { describe, expect, test } from 'vitest';
import { containsWords, matchesWordStarts } from '../../../../web/src/palette/palette-entry.ts';
import { messageAddress, searchAddress } from '../../../../web/src/search/search-address.ts';

describe('the text in the palette', () => {
  test.each([
    ['New chat', '', true],
    ['New chat', 'ne', true],
    ['New chat', 'chat n', true],
    ['New chat', 'ew', false],
    ['Theme: dark', 'DARK', true],
    ['Theme: dark', 'dark!', true],
    ['Theme: dark', 'light', false],
  ])('%j for %j: %j', (text, query, isFit) => {
    expect(matchesWordStarts(text, query)).toBe(isFit);
  });

  test('matches any part of a title', () => {
    expect(containsWords('Größe der Leuchttürme', 'türme größe')).toBe(true);
    expect(containsWords('会議の議事録', '議事')).toBe(true);
    expect(containsWords('Lighthouses', 'lamp')).toBe(false);
  });
});

describe('the address of a search', () => {
  test.each([
    ['', '/c/search'],
    ['foo bar', '/c/search?q=foo%20bar'],
    ['a&b=c#d', '/c/search?q=a%26b%3Dc%23d'],
    ['half \ud83d', '/c/search?q=half%20%EF%BF%BD'],
    ['a'.repeat(501), `/c/search?q=${'a'.repeat(500)}`],
    [`${'a'.repeat(499)}🎉`, `/c/search?q=${'a'.repeat(499)}`],
  ])('%j', (query, address) => {
    expect(searchAddress(query)).toBe(address);
  });

  test('names the conversation of a message', () => {
    expect(messageAddress('c1', 'm1')).toBe('/c/c1?message=m1');
  });
});
