// The readers of an answer's text keep no more of a line than they need: four times the text takes about four times as
// long, whatever a server sends and however it cuts it.
import { createAnswerReader } from '@parley/server/providers/compatible/answer-text';
import { expect, it } from 'vitest';

const PIECES = 50_000;

it.each([
  ['white space', ' '],
  ['exclamation marks', '!'],
  ['beginnings of pictures', '!['],
  ['backticks', '`a'],
  ['beginnings of tags', '<'],
  ['words', 'word '],
])('%s on one line take time by their length', (_name, piece) => {
  read(piece, PIECES);
  const once = read(piece, PIECES);
  expect(read(piece, 4 * PIECES) / once).toBeLessThan(9);
});

it.each([
  ['marks on a line of code', '!', '```'],
  ['white space behind a tag', ' ', 'the <think>'],
])('%s take time by their length', (_name, piece, before) => {
  const once = read(piece, PIECES, before);
  expect(read(piece, 4 * PIECES, before) / once).toBeLessThan(9);
});

/** The milliseconds that so many pieces take. */
function read(piece: string, count: number, before = ''): number {
  const reader = createAnswerReader({ hasThoughts: true, pictures: { *read() {} } });
  const began = performance.now();
  reader.read({ type: 'text', text: before });
  for (let at = 0; at < count; at += 1) reader.read({ type: 'text', text: piece });
  reader.flush();
  return performance.now() - began;
}
