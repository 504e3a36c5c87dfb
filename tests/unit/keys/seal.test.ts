import { createSeal } from '@parley/server/keys/seal';
import { describe, expect, it } from 'vitest';

const OLD = 'a'.repeat(64);
const NEW = 'b'.repeat(64);
const context = { userId: '6f0c1b1e-6d7f-4c0e-9a55-0d2f4c1f2a10', name: 'openAI' };
const value = '{"apiKey":"sk-secret"}';

describe('a sealed value', () => {
  it('is opened in its own context, and reveals nothing', () => {
    const { seal, open } = createSeal(NEW, []);
    const sealed = seal(value, context);
    expect(sealed).not.toContain('sk-secret');
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('sk-secret');
    expect(open(sealed, context)).toBe(value);
  });

  it('differs each time', () => {
    const { seal } = createSeal(NEW, []);
    expect(seal(value, context)).not.toBe(seal(value, context));
  });

  it.each([
    ['of another user', { ...context, userId: '6f0c1b1e-6d7f-4c0e-9a55-0d2f4c1f2a11' }],
    ['of another name', { ...context, name: 'google' }],
  ])('cannot be opened in the context %s', (_, other) => {
    const { seal, open } = createSeal(NEW, []);
    expect(open(seal(value, context), other)).toBeNull();
  });

  it('cannot be opened when any byte was changed', () => {
    const { seal, open } = createSeal(NEW, []);
    const [version, id, text = ''] = seal(value, context).split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(open([version, id, changed.toString('base64url')].join('.'), context)).toBeNull();
    }
    expect(open([version, id, bytes.subarray(0, -1).toString('base64url')].join('.'), context)).toBeNull();
  });

  it.each(['', 'v1', 'v1.12345678.', 'v2', 'plain text', 'v1.12345678.AAAA'])('cannot be %j', (text) => {
    expect(createSeal(NEW, []).open(text, context)).toBeNull();
  });

  it('can be opened with its old secret while that is configured', () => {
    const sealed = createSeal(OLD, []).seal(value, context);
    expect(createSeal(NEW, [OLD]).open(sealed, context)).toBe(value);
    expect(createSeal(NEW, []).open(sealed, context)).toBeNull();
    expect(createSeal(OLD, []).open(createSeal(NEW, [OLD]).seal(value, context), context)).toBeNull();
  });

  it('is not opened by another secret with the same id', () => {
    const [, id] = createSeal(OLD, []).seal(value, context).split('.');
    const [version, , text] = createSeal(NEW, []).seal(value, context).split('.');
    expect(createSeal(NEW, [OLD]).open([version, id, text].join('.'), context)).toBeNull();
  });
});
