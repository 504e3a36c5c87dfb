import { createSlices } from '@parley/server/platform/event-loop';
import { buildTree } from '@parley/server/transfer/build-tree';
import type { SourceMessage } from '@parley/server/transfer/source';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const range = { from: 0, to: 10_000 };

test('messages are ordered by time, parents first, and siblings in the order of the file', async () => {
  expect(await orderOf([said('a', null, 10), said('c', 'a', 40), said('b', 'a', 20), said('d', 'c', 30)])).toEqual([
    ['a', null, 0, 10],
    ['c', 0, 1, 40],
    ['d', 1, 2, 30],
    ['b', 0, 1, 20],
  ]);
});

test('a missing or impossible time becomes the time of the parent', async () => {
  expect(
    await orderOf([said('a', null, null), said('b', 'a', -5), said('c', 'b', 99_999), said('d', 'c', 70)]),
  ).toEqual([
    ['a', null, 0, 50],
    ['b', 0, 1, 50],
    ['c', 1, 2, 50],
    ['d', 2, 3, 70],
  ]);
});

test('any graph of parents becomes a tree in which each message stands once, after its parent', async () => {
  const name = fc.integer({ min: 0, max: 12 }).map(String);
  const message = fc.record({
    id: name,
    parent: fc.option(name),
    time: fc.option(fc.integer({ min: -10, max: 11_000 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 30 }), async (list) => {
      const { messages, repeated } = await buildTree(
        list.map(({ id, parent, time }) => said(id, parent, time)),
        50,
        range,
        createSlices(Infinity),
      );
      expect(new Set(messages.map((one) => one.message.id))).toEqual(new Set(list.map(({ id }) => id)));
      expect(messages.length + repeated).toBe(list.length);
      for (const [index, one] of messages.entries()) {
        expect(one.parent ?? -1).toBeLessThan(index);
        const above = one.parent === null ? undefined : messages[one.parent];
        expect(one.depth).toBe(above ? above.depth + 1 : 0);
        if (above) expect(above.message.id).toBe(one.message.parentId);
      }
    }),
  );
});

async function orderOf(messages: SourceMessage[]) {
  const arranged = await buildTree(messages, 50, range, createSlices(Infinity));
  return arranged.messages.map(({ message, parent, depth, createdAt }) => [message.id, parent, depth, createdAt]);
}

function said(id: string, parentId: string | null, createdAt: number | null): SourceMessage {
  return {
    id,
    parentId,
    createdAt,
    updatedAt: null,
    isCreatedByUser: false,
    sender: 'AI',
    endpoint: 'openAI',
    endpointType: 'openAI',
    model: null,
    parts: [],
    finishReason: null,
    reason: null,
    unfinished: false,
    isEdited: false,
    usage: null,
    context: null,
  };
}
