import { prepare } from '@parley/server/transfer/prepare';
import { createSlices } from '@parley/server/platform/event-loop';
import { expect, test } from 'vitest';
import { chatGpt, message, says } from '../../integration/transfer/files.ts';
import { threadLength } from '../../support/extent.ts';

const COUNT = threadLength;
/** Messages of one turn. */
const UNITS = 100;
const NOW = Date.parse('2026-01-01T00:00:00.000Z');

test('thousands of nested messages are read in slices, without recursion', async () => {
  const opened = Array.from({ length: COUNT }, (_, index) => {
    const one = message(`m${index}`, null, `Line ${index}`, { isCreatedByUser: index % 2 === 0 });
    return `${JSON.stringify(one).slice(0, -1)},"children":[`;
  });
  await expectLine(`{"conversationId":"deep","messagesTree":[${opened.join('')}${']}'.repeat(COUNT)}]}`);
});

test('thousands of nested ChatGPT nodes are read in slices, in any order', async () => {
  const nodes = Array.from({ length: COUNT }, (_, index) => ({
    id: `n${index}`,
    parent: index === 0 ? null : `n${index - 1}`,
    children: index === COUNT - 1 ? [] : [`n${index + 1}`],
    message: says(index % 2 === 0 ? 'user' : 'assistant', `Line ${index}`),
  }));
  const mapping = Object.fromEntries(nodes.toReversed().map((node) => [node.id, node]));
  await expectLine(JSON.stringify({ ...chatGpt('deep', []), mapping }));
});

test('thousands of siblings are read in slices', async () => {
  const children = Array.from({ length: COUNT }, (_, index) => message(`m${index}`, 'm', `Line ${index}`));
  const messages = [message('m', null, 'Root'), ...children];
  const { prepared, turns } = await prepareInTurns(JSON.stringify({ conversationId: 'wide', messages }));
  expect(prepared.messages).toHaveLength(COUNT + 1);
  expect(turns).toBeGreaterThanOrEqual((3 * COUNT) / UNITS);
});

async function expectLine(json: string): Promise<void> {
  const { prepared, turns } = await prepareInTurns(json);
  // Read, translated and arranged: every message is counted each time.
  expect(turns).toBeGreaterThanOrEqual((3 * COUNT) / UNITS);
  expect(prepared.messages).toHaveLength(COUNT);
  expect(prepared.messages.map(({ depth }) => depth)).toEqual(Array.from({ length: COUNT }, (_, index) => index));
  expect(prepared.messages.at(-1)?.message.parts).toEqual([{ type: 'text', text: `Line ${COUNT - 1}` }]);
}

/** What a file is read into, and how often the others had their turn meanwhile. */
async function prepareInTurns(json: string) {
  let turns = 0;
  const slices = createSlices(UNITS, async () => void turns++);
  const piece = { index: 0, bytes: [new TextEncoder().encode(json)], size: json.length, isTooLarge: false };
  const { value: prepared } = await prepare({ ...piece, head: new Uint8Array(0) }, NOW, slices).next();
  if (!prepared || 'reason' in prepared) throw new Error(prepared?.reason);
  return { prepared, turns };
}
