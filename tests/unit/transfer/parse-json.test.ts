import { createSlices } from '@parley/server/platform/event-loop';
import { parseJson } from '@parley/server/transfer/parse-json';
import { prepare } from '@parley/server/transfer/prepare';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => vi.restoreAllMocks());

describe('a JSON text', () => {
  it.each([
    '{}',
    '[]',
    ' [ ] ',
    'null',
    '-1.5E+3',
    '"a \\" quote, a \\\\\\\\ and \\u00e9 é 🙂"',
    '"\\\\"',
    '[1,2,[3,[]],{"a":{"b":[null,true,false]}}]',
    '\n{ "a" : 1 ,\t"a" : 2 , "" : [ "}" , "]" ] }\r\n',
    '{"__proto__":{"isAdmin":true},"constructor":1}',
  ])('%s is read as JSON.parse reads it', async (text) => {
    const value = await parseJson(Buffer.from(text));
    expect(value).toEqual(JSON.parse(text));
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value ?? {})).toBe(Object.getPrototypeOf(JSON.parse(text) ?? {}));
  });

  it.each([
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '[1 2]',
    '{"a" 1}',
    '{a:1}',
    '[1}',
    '"open',
    '01',
    'nul',
    '[1]]',
    '"\n"',
    '+1',
  ])('%j is rejected', async (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    await expect(parseJson(Buffer.from(text))).rejects.toThrow(SyntaxError);
  });

  it('is parsed at any depth', async () => {
    const depth = 200_000;
    let value = await parseJson(Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`));
    let levels = 0;
    for (; Array.isArray(value); value = value[0]) levels += 1;
    expect(levels).toBe(depth);
  });

  it('is parsed in slices with other work between them', async () => {
    let rests = 0;
    const bytes = Buffer.from(JSON.stringify(Array.from({ length: 10_000 }, (_, n) => ({ n, text: 'x'.repeat(50) }))));
    await parseJson(
      bytes,
      createSlices(10_000, async () => void (rests += 1)),
    );
    expect(rests).toBeGreaterThan(bytes.length / 10_000 / 2);
  });
});

it('a long conversation is not parsed in one slice', async () => {
  const messages = Array.from({ length: 500 }, (_, n) => ({
    messageId: `m${n}`,
    parentMessageId: n === 0 ? null : `m${n - 1}`,
    isCreatedByUser: n % 2 === 0,
    text: `${n} ${'words and words '.repeat(500)}`,
  }));
  const bytes = Buffer.from(JSON.stringify({ conversationId: 'c1', title: 'Long', messages }));
  const parse = vi.spyOn(JSON, 'parse');
  const piece = { index: 0, bytes: [bytes], size: bytes.length, isTooLarge: false, head: bytes.subarray(0, 100) };
  for await (const prepared of prepare(piece, Date.now()))
    expect('messages' in prepared && prepared.messages.length).toBe(500);
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(10_000);
});
