import { prepare } from '@parley/server/transfer/prepare';
import { expect, test } from 'vitest';
import { chatGpt, message, says } from './files.ts';

const COUNT = 20_000;
const NOW = Date.parse('2026-01-01T00:00:00.000Z');

test('20,000 messages within each other are read without recursion', () => {
  const opened = Array.from({ length: COUNT }, (_, index) => {
    const one = message(`m${index}`, null, `Line ${index}`, { isCreatedByUser: index % 2 === 0 });
    return `${JSON.stringify(one).slice(0, -1)},"children":[`;
  });
  expectLine(`{"conversationId":"deep","messagesTree":[${opened.join('')}${']}'.repeat(COUNT)}]}`);
});

test('so are 20,000 nodes of ChatGPT in one line, whatever their order', () => {
  const nodes = Array.from({ length: COUNT }, (_, index) => ({
    id: `n${index}`,
    parent: index === 0 ? null : `n${index - 1}`,
    children: index === COUNT - 1 ? [] : [`n${index + 1}`],
    message: says(index % 2 === 0 ? 'user' : 'assistant', `Line ${index}`),
  }));
  const mapping = Object.fromEntries(nodes.toReversed().map((node) => [node.id, node]));
  expectLine(JSON.stringify({ ...chatGpt('deep', []), mapping }));
});

function expectLine(json: string): void {
  const bytes = [new TextEncoder().encode(json)];
  const prepared = prepare({ index: 0, bytes, size: json.length, isTooLarge: false, head: new Uint8Array(0) }, NOW);
  if ('reason' in prepared) throw new Error(prepared.reason);
  expect(prepared.messages).toHaveLength(COUNT);
  expect(prepared.messages.map(({ depth }) => depth)).toEqual(Array.from({ length: COUNT }, (_, index) => index));
  expect(prepared.messages.at(-1)?.message.parts).toEqual([{ type: 'text', text: `Line ${COUNT - 1}` }]);
}
