import { validationMessage } from '@parley/server/http/trpc';
import { expect, test } from 'vitest';
import * as z from 'zod';

function sentenceOf(schema: z.ZodType, input: unknown): string | undefined {
  return z.object({ field: schema }).safeParse({ field: input }, { error: validationMessage }).error?.issues[0]
    ?.message;
}

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'field is required'],
  [z.string(), 5, 'field must be a string'],
  [z.string(), null, 'field must be a string'],
  [z.number(), 'five', 'field must be a number'],
  [z.number(), NaN, 'field must be a number'],
  [z.int(), 1.5, 'field must be a whole number'],
  [z.int().min(1), 0, 'field must be at least 1'],
  [z.number().max(2), 3, 'field must be at most 2'],
  [z.boolean(), 'yes', 'field must be true or false'],
  [z.array(z.string()), 'x', 'field must be a list'],
  [z.array(z.string()), ['x', 5], 'field must be a string'],
  [z.array(z.string()).max(1), ['x', 'y'], 'field must have at most 1 entry'],
  [z.object({ inner: z.string() }), 'x', 'field must be an object'],
  [z.object({ inner: z.string() }), {}, 'inner is required'],
  [z.record(z.string(), z.string()), [], 'field must be an object'],
  [z.string().min(2), 'x', 'field must have at least 2 characters'],
  [z.string().max(2), 'xyz', 'field must have at most 2 characters'],
  [z.uuid(), 'x', 'field must be a UUID'],
  [z.iso.datetime(), 'tomorrow', 'field must be an ISO date'],
  [z.string().regex(/^a$/), 'b', 'field is not valid'],
  [z.enum(['on', 'off']), 'x', 'field must be on or off'],
  [z.union([z.string(), z.number()]), true, 'field is not valid'],
  [z.union([z.string(), z.number()]), undefined, 'field is required'],
  [z.strictObject({}), { more: 1 }, 'field must not have more'],
])('%o is told of %j that %s', (schema, input, sentence) => {
  expect(sentenceOf(schema, input)).toBe(sentence);
});

test('an issue without a name is about the whole input', () => {
  expect(z.string().safeParse(5, { error: validationMessage }).error?.issues[0]?.message).toBe(
    'The input must be a string',
  );
});

test('words of a rule come first', () => {
  expect(sentenceOf(z.string('value is needed'), 5)).toBe('value is needed');
});
