// @vitest-environment happy-dom
import type { Reason } from '@parley/schema/reasons';
import { messageNode, type ThreadNode } from '@parley/schema/messages/thread';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBodyLoader } from '../../../../web/src/chat/cache/body-loader.ts';
import { findScrollPosition, saveScrollPosition } from '../../../../web/src/chat/scroll/scroll-positions.ts';
import { createRowLayout, estimateHeight, LEAD } from '../../../../web/src/chat/scroll/row-layout.ts';
import { pause } from '../../../../web/src/lib/retry.ts';
import { findLinkedMessage } from '../../../../web/src/chat/thread/linked-message.ts';
import { message } from './people.ts';
import { refusal } from './scripted-api.ts';

function never(): never {
  throw new Error('nothing is refused here');
}

const path = Array.from({ length: 5 }, (_, seq) => messageNode(message(`m${seq}`, seq)));

beforeEach(() => localStorage.clear());

describe('the positions of rows', () => {
  test('come from measured heights, and estimates for the others', () => {
    const layout = createRowLayout(path, new Map([['m1', 40]]), () => 100);
    expect([0, 1, 2, 5].map((index) => layout.topOf(index) - LEAD)).toEqual([0, 100, 140, 440]);
    layout.measure(0, 10);
    expect([0, 1, 2, 5].map((index) => layout.topOf(index) - LEAD)).toEqual([0, 10, 50, 350]);
  });

  test('give the row at a point, and the nearest one beyond the ends', () => {
    const layout = createRowLayout(path, new Map(), () => 100);
    expect([-50, LEAD + 99, LEAD + 100, 1e9].map((pixels) => layout.rowAt(pixels))).toEqual([0, 0, 1, 4]);
  });

  test('are remembered by message, on every branch', () => {
    const heights = new Map<string, number>();
    createRowLayout(path, heights, () => 100).measure(3, 20);
    expect(createRowLayout(path.slice(3), heights, () => 100).heightOf(0)).toBe(20);
  });

  test('are estimated higher for longer texts, up to a limit for a folded question', () => {
    const sized = (size: number, isCreatedByUser: boolean): ThreadNode => ({
      ...messageNode(message('m', 1)),
      size,
      isCreatedByUser,
    });
    expect(estimateHeight(sized(5000, false), 700)).toBeGreaterThan(estimateHeight(sized(500, false), 700));
    expect(estimateHeight(sized(5000, false), 300)).toBeGreaterThan(estimateHeight(sized(5000, false), 700));
    expect(estimateHeight(sized(1e6, true), 700)).toBe(estimateHeight(sized(1e5, true), 700));
  });
});

describe('messages near the view', () => {
  test('are requested in batches, without those no longer wanted', async () => {
    const many = Array.from({ length: 100 }, (_, seq) => messageNode(message(`m${seq}`, seq)));
    const batches: string[][] = [];
    let answer = () => {};
    const reader = createBodyLoader((nodes) => {
      batches.push(nodes.map(({ messageId }) => messageId));
      return new Promise((resolve) => (answer = () => resolve(new Set(batches.at(-1)))));
    }, never);
    const end = reader.open();
    reader.request(many);
    reader.request(many.slice(90));
    answer();
    await expect.poll(() => batches.length).toBe(2);
    expect(batches[0]).toHaveLength(30);
    expect(batches[1]).toEqual(many.slice(90).map(({ messageId }) => messageId));
    end();
  });

  test('are requested until none of them comes, which then do not exist', async () => {
    const batches: string[][] = [];
    const reader = createBodyLoader(async (nodes) => {
      const ids = nodes.map(({ messageId }) => messageId);
      batches.push(ids);
      return new Set(ids.filter((id) => id !== 'm3').slice(0, 1));
    }, never);
    const end = reader.open();
    const four = path.slice(0, 4);
    reader.request(four);
    const requests = [['m0', 'm1', 'm2', 'm3'], ['m1', 'm2', 'm3'], ['m2', 'm3'], ['m3']];
    await expect.poll(() => batches).toEqual(requests);
    await Promise.resolve();
    reader.request(four.slice(3));
    await Promise.resolve();
    expect(batches).toEqual(requests);
    end();
  });

  test('are requested again after a lost response', async () => {
    let asked = 0;
    const reader = createBodyLoader(async () => {
      asked++;
      if (asked === 1) throw new Error('no network');
      return new Set(['m0']);
    }, never);
    const end = reader.open();
    reader.request(path.slice(0, 1));
    await expect.poll(() => asked).toBe(2);
    end();
  });

  test('are not requested again when they are refused permanently, which is reported once', async () => {
    const asked: string[] = [];
    const told: Reason[] = [];
    const reader = createBodyLoader(
      async (nodes) => {
        asked.push(...nodes.map(({ messageId }) => messageId));
        throw refusal({ type: 'forbidden' });
      },
      (reason) => told.push(reason),
    );
    const end = reader.open();
    reader.request(path.slice(0, 1));
    await expect.poll(() => told).toEqual([{ type: 'forbidden' }]);
    await Promise.resolve();
    reader.request(path.slice(0, 2));
    await expect.poll(() => asked).toEqual(['m0', 'm1']);
    await pause(700, new AbortController().signal);
    expect(asked).toEqual(['m0', 'm1']);
    expect(told).toHaveLength(1);
    end();
  });
});

describe('the scroll position of a reader', () => {
  test('is kept for the last hundred conversations', () => {
    for (let n = 0; n <= 100; n++) saveScrollPosition(`convo-${n}`, { messageId: 'm', offset: n });
    expect(findScrollPosition('convo-0')).toBeUndefined();
    expect(findScrollPosition('convo-100')).toEqual({ messageId: 'm', offset: 100 });
  });

  test('is dropped at the end of a conversation', () => {
    saveScrollPosition('lisbon', { messageId: 'm', offset: 4 });
    saveScrollPosition('lisbon', null);
    expect(findScrollPosition('lisbon')).toBeUndefined();
  });

  test('is absent when the stored value is damaged', () => {
    localStorage.setItem('places', '{"lisbon":{"messageId":4}}');
    expect(findScrollPosition('lisbon')).toBeUndefined();
  });
});

test('the address names a message by its id only', () => {
  const id = 'B7D3A0F0-0000-4000-8000-000000000001';
  expect(findLinkedMessage(`?message=${id}`)).toBe(id.toLowerCase());
  expect(findLinkedMessage('?message=1')).toBeUndefined();
  expect(findLinkedMessage('')).toBeUndefined();
});
