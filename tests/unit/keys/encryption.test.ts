import { createEncryption } from '@parley/server/keys/encryption';
import { describe, expect, it } from 'vitest';

const OLD = 'a'.repeat(64);
const NEW = 'b'.repeat(64);
const context = { userId: '6f0c1b1e-6d7f-4c0e-9a55-0d2f4c1f2a10', name: 'openAI' };
const value = '{"apiKey":"sk-secret"}';

describe('an encrypted value', () => {
  it('is decrypted in its own context, and reveals nothing', () => {
    const { encrypt, decrypt } = createEncryption(NEW, []);
    const encrypted = encrypt(value, context);
    expect(encrypted).not.toContain('sk-secret');
    expect(Buffer.from(encrypted.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('sk-secret');
    expect(decrypt(encrypted, context)).toBe(value);
  });

  it('differs each time', () => {
    const { encrypt } = createEncryption(NEW, []);
    expect(encrypt(value, context)).not.toBe(encrypt(value, context));
  });

  it.each([
    ['of another user', { ...context, userId: '6f0c1b1e-6d7f-4c0e-9a55-0d2f4c1f2a11' }],
    ['of another name', { ...context, name: 'google' }],
  ])('cannot be decrypted in the context %s', (_, other) => {
    const { encrypt, decrypt } = createEncryption(NEW, []);
    expect(decrypt(encrypt(value, context), other)).toBeNull();
  });

  it('cannot be decrypted when any byte was changed', () => {
    const { encrypt, decrypt } = createEncryption(NEW, []);
    const [version, id, text = ''] = encrypt(value, context).split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(decrypt([version, id, changed.toString('base64url')].join('.'), context)).toBeNull();
    }
    expect(decrypt([version, id, bytes.subarray(0, -1).toString('base64url')].join('.'), context)).toBeNull();
  });

  it.each(['', 'v1', 'v1.12345678.', 'v2', 'plain text', 'v1.12345678.AAAA'])('cannot be %j', (text) => {
    expect(createEncryption(NEW, []).decrypt(text, context)).toBeNull();
  });

  it('can be decrypted with its old secret while that is configured', () => {
    const encrypted = createEncryption(OLD, []).encrypt(value, context);
    expect(createEncryption(NEW, [OLD]).decrypt(encrypted, context)).toBe(value);
    expect(createEncryption(NEW, []).decrypt(encrypted, context)).toBeNull();
    expect(createEncryption(OLD, []).decrypt(createEncryption(NEW, [OLD]).encrypt(value, context), context)).toBeNull();
  });

  it('is not decrypted by another secret with the same id', () => {
    const [, id] = createEncryption(OLD, []).encrypt(value, context).split('.');
    const [version, , text] = createEncryption(NEW, []).encrypt(value, context).split('.');
    expect(createEncryption(NEW, [OLD]).decrypt([version, id, text].join('.'), context)).toBeNull();
  });
});
