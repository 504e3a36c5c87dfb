import type { Message } from '@parley/schema/messages/messages';
import { expect, it } from 'vitest';
import { pickSideBySide } from '../../../../web/src/chat/message-actions/pick-side-by-side.ts';
import { message } from '../chat/people.ts';

/** An answer each: a letter is one with text, `-` one that failed. */
function answers(signs: string): Message[] {
  return [...signs].map((sign, n) =>
    message(
      `${n}${sign}`,
      n,
      sign === '-' ? { reason: { type: 'interrupted' } } : { parts: [{ type: 'text', text: sign }] },
    ),
  );
}

it.each([
  ['the newest four', 'abcdef', '5f', 'cdef'],
  ['the one on screen, however old it is', 'abcdef', '0a', 'adef'],
  ['older ones with text before newer ones without', 'abc---', '0a', 'abc'],
  ['one without text that is on screen', 'abcd-e', '4-', 'cd-e'],
  ['one without text where there is no other', 'a---', '0a', 'a-'],
])('takes %s: of %s with %s on screen %s', (_, signs, shown, taken) => {
  const picked = pickSideBySide(answers(signs), shown);
  expect(picked.map(({ messageId }) => messageId.slice(1)).join('')).toBe(taken);
});
