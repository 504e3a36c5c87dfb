import { cleanJson, cleanText } from '@parley/schema/clean-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('cleaning', () => {
  it('removes NUL and replaces lone surrogates', () => {
    expect(cleanText('a\u0000b')).toBe('ab');
    expect(cleanText('a\ud83d')).toBe('a\ufffd');
    expect(cleanText('\ude00\ud83d')).toBe('\ufffd\ufffd');
  });

  it('joins a surrogate pair that was separated by NUL', () => {
    expect(cleanText('\ud83d\u0000\ude00')).toBe('😀');
  });

  it('leaves everything else unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\u0000'));
        expect(cleanText(text)).toBe(text);
      }),
    );
    expect(cleanText('\ufffe\uffff\u202e')).toBe('\ufffe\uffff\u202e');
  });

  it('is idempotent', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => cleanText(cleanText(text)) === cleanText(text)));
  });

  it('reaches every string of a value, keys included', () => {
    const value = { 'a\u0000': ['\u0000', { b: '\ud83d' }], n: 1, t: true, nothing: null };
    expect(cleanJson(value)).toEqual({ a: ['', { b: '\ufffd' }], n: 1, t: true, nothing: null });
  });
});
