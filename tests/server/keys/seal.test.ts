import { createSeal } from '@parley/server/keys/seal';
import { describe, expect, it } from 'vitest';

const OLD = 'a'.repeat(64);
const NEW = 'b'.repeat(64);
const place = { userId: '6f0c1b1e-6d7f-4c0e-9a55-0d2f4c1f2a10', name: 'openAI' };
const value = '{"apiKey":"sk-secret"}';

describe('a sealed value', () => {
  it('is opened where it belongs, and shows nothing of itself', () => {
    const { seal, open } = createSeal(NEW, []);
    const sealed = seal(value, place);
    expect(sealed).not.toContain('sk-secret');
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('sk-secret');
    expect(open(sealed, place)).toBe(value);
  });

  it('is another one each time', () => {
    const { seal } = createSeal(NEW, []);
    expect(seal(value, place)).not.toBe(seal(value, place));
  });

  it.each([
    ['of another user', { ...place, userId: '6f0c1b1e-6d7f-4c0e-9a55-0d2f4c1f2a11' }],
    ['of another name', { ...place, name: 'google' }],
  ])('is no good in the place %s', (_, other) => {
    const { seal, open } = createSeal(NEW, []);
    expect(open(seal(value, place), other)).toBeNull();
  });

  it('that was tampered with is not opened, whichever of its bytes it was', () => {
    const { seal, open } = createSeal(NEW, []);
    const [version, id, text = ''] = seal(value, place).split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(open([version, id, changed.toString('base64url')].join('.'), place)).toBeNull();
    }
    expect(open([version, id, bytes.subarray(0, -1).toString('base64url')].join('.'), place)).toBeNull();
  });

  it.each(['', 'v1', 'v1.12345678.', 'v2', 'plain text', 'v1.12345678.AAAA'])('is not %j', (text) => {
    expect(createSeal(NEW, []).open(text, place)).toBeNull();
  });

  it('outlives its secret as long as that is still known', () => {
    const sealed = createSeal(OLD, []).seal(value, place);
    expect(createSeal(NEW, [OLD]).open(sealed, place)).toBe(value);
    expect(createSeal(NEW, []).open(sealed, place)).toBeNull();
    expect(createSeal(OLD, []).open(createSeal(NEW, [OLD]).seal(value, place), place)).toBeNull();
  });

  it('is never opened by a secret that only shares its id', () => {
    const [, id] = createSeal(OLD, []).seal(value, place).split('.');
    const [version, , text] = createSeal(NEW, []).seal(value, place).split('.');
    expect(createSeal(NEW, [OLD]).open([version, id, text].join('.'), place)).toBeNull();
  });
});
