import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import { describe, expect, it } from 'vitest';

describe('a foreign text', () => {
  it.each([
    ['directions', 'safe\u202egnp.exe\u2066x\u2069', 'safegnp.exex'],
    ['tags', `Reads.${'\u{e0049}\u{e0047}\u{e004e}\u{e004f}\u{e0052}\u{e0045}'}`, 'Reads.'],
    ['control characters', 'a\u0007b\u001b[31mc\u009bd', 'ab[31mcd'],
    ['characters without a width', 'pass\u200bword\u2060\ufeff \u3164\u{e0101}x', 'password x'],
    ['joiners between letters that have none', 'ab\u200d\u200cc', 'abc'],
  ])('loses %s', (_what, given, expected) => {
    expect(visibleText(given)).toBe(expected);
  });

  it.each([
    ['Lines\r\nand\ttabs\u2028stay.', 'Lines\nand\ttabs\nstay.'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩\u200d💻 ❤️ 日本語', '👩\u200d💻 ❤️ 日本語'],
  ])('keeps what is written: %j', (given, expected) => {
    expect(visibleText(given)).toBe(expected);
  });

  it('is cut at the end of a sentence, else of a word, else anywhere but in a character', () => {
    expect(cutText('One sentence. Another one that is long.', 20)).toBe('One sentence.');
    expect(cutText('A few words without an end', 20)).toBe('A few words without…');
    expect(cutText('x'.repeat(50), 20)).toBe(`${'x'.repeat(19)}…`);
    expect(cutText(`${'x'.repeat(18)}😀😀`, 20)).toBe(`${'x'.repeat(18)}…`);
    expect(cutText('Short.', 20)).toBe('Short.');
  });
});
