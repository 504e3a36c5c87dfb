import { isWellFormed, makeKey } from '@parley/server/api-keys/key-format';
import { expect, it } from 'vitest';

it('a key is known by its letters alone, and any letter that is wrong, missing or too many is noticed', () => {
  for (let round = 0; round < 50; round++) {
    const { key, shown, hash } = makeKey();
    expect(key).toMatch(/^pk_[0-9A-Za-z]{49}$/);
    expect([shown, hash.length]).toEqual([key.slice(0, 8), 64]);
    expect(isWellFormed(key)).toBe(true);
    const at = 3 + (round % 49);
    const other = key[at] === 'a' ? 'b' : 'a';
    for (const wrong of [
      key.slice(1),
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key.slice(0, at)}${other}${key.slice(at + 1)}`,
    ])
      expect(isWellFormed(wrong), wrong).toBe(false);
  }
  expect(isWellFormed('')).toBe(false);
});
