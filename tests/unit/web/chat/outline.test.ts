import { expect, test } from 'vitest';
import { hasOutline, pathOutline, questionAt } from '../../../../web/src/chat/tree/outline-rows.ts';

/** A straight chat: questions and answers in turn. */
function chat(length: number) {
  return Array.from({ length }, (_, n) => ({
    messageId: `m${n}`,
    parentMessageId: n === 0 ? null : `m${n - 1}`,
    seq: n,
    isCreatedByUser: n % 2 === 0,
  }));
}

test('a chat has an outline from four questions on', () => {
  expect(hasOutline(chat(6))).toBe(false);
  expect(hasOutline(chat(7))).toBe(true);
  expect(hasOutline(chat(2_000))).toBe(true);
});

test('the outline has the questions alone', () => {
  expect(pathOutline(chat(2_000))).toHaveLength(1_000);
  expect(pathOutline(chat(4)).map(({ messageId, at }) => [messageId, at])).toEqual([
    ['m0', 0],
    ['m2', 2],
  ]);
});

test('the current question is the one of the message in view', () => {
  const rows = pathOutline(chat(8));
  expect([0, 1, 2, 3, 7, Infinity].map((at) => questionAt(rows, at))).toEqual([0, 0, 1, 1, 3, 3]);
  // An answer alone may begin a chat whose first question was deleted.
  expect(questionAt(pathOutline(chat(8).slice(1)), 0)).toBe(0);
});
