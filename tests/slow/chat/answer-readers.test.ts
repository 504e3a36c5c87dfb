// The readers of answers keep no more than they need: four times the text, or the arguments of a call, take about four
// times as long, whatever a server sends and however it cuts it.
import { createAnswerReader } from '@parley/server/providers/compatible/answer-text';
import { createChatReader } from '@parley/server/providers/openai/deltas';
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
  const once = best(() => read(piece, PIECES));
  expect(best(() => read(piece, 4 * PIECES)) / once).toBeLessThan(9);
});

it.each([
  ['marks on a line of code', '!', '```'],
  ['white space behind a tag', ' ', 'the <think>'],
])('%s take time by their length', (_name, piece, before) => {
  const once = best(() => read(piece, PIECES, before));
  expect(best(() => read(piece, 4 * PIECES, before)) / once).toBeLessThan(9);
});

/** The shortest of three: what else runs takes time, too. */
function best(measure: () => number): number {
  return Math.min(measure(), measure(), measure());
}

/** The milliseconds that so many pieces take. */
function read(piece: string, count: number, before = ''): number {
  const reader = createAnswerReader({ hasThoughts: true, pictures: { *read() {} } });
  const began = performance.now();
  reader.read({ type: 'text', text: before });
  for (let at = 0; at < count; at += 1) reader.read({ type: 'text', text: piece });
  reader.flush();
  return performance.now() - began;
}

it.each([
  ['once', {}],
  ['with each piece', { name: 'write' }],
])('arguments of a call whose name is sent %s take time by their length', (_name, named) => {
  const once = best(() => readCall(named, PIECES / 4));
  expect(best(() => readCall(named, PIECES)) / once).toBeLessThan(9);
});

/** The milliseconds that so many pieces of arguments take. */
function readCall(named: object, count: number): number {
  const read = createChatReader({ endpointType: 'custom', model: 'm' }, false, new Set(['write']));
  const call = (fields: object) => [
    ...read({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: fields }] } }] }),
  ];
  const began = performance.now();
  call({ name: 'write', arguments: '{"text":"' });
  for (let at = 0; at < count; at += 1) call({ ...named, arguments: at % 9 === 0 ? ' };' : 'a b' });
  return performance.now() - began;
}
