// @vitest-environment happy-dom
import type { Reason } from '@parley/schema/reasons';
import { nodeOf, type ThreadNode } from '@parley/schema/thread';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBodyReader } from '../../web/src/chat/thread/body-reader.ts';
import { findPlace, rememberPlace } from '../../web/src/chat/thread/places.ts';
import { createRowLayout, estimateHeight, LEAD } from '../../web/src/chat/thread/row-layout.ts';
import { pause } from '../../web/src/chat/exchanges/patience.ts';
import { findTarget } from '../../web/src/chat/exchanges/target.ts';
import { message } from './chat-people.ts';
import { refusal } from './chat-scripted-wire.ts';

function never(): never {
  throw new Error('nothing is refused here');
}

const path = Array.from({ length: 5 }, (_, seq) => nodeOf(message(`m${seq}`, seq)));

beforeEach(() => localStorage.clear());

describe('where rows stand', () => {
  test('is told by the heights that were measured, and guesses for the others', () => {
    const layout = createRowLayout(path, new Map([['m1', 40]]), () => 100);
    expect([0, 1, 2, 5].map((index) => layout.topOf(index) - LEAD)).toEqual([0, 100, 140, 440]);
    layout.measure(0, 10);
    expect([0, 1, 2, 5].map((index) => layout.topOf(index) - LEAD)).toEqual([0, 10, 50, 350]);
  });

  test('tells which row is at a point; beyond the ends it is the nearest', () => {
    const layout = createRowLayout(path, new Map(), () => 100);
    expect([-50, LEAD + 99, LEAD + 100, 1e9].map((pixels) => layout.rowAt(pixels))).toEqual([0, 0, 1, 4]);
  });

  test('is remembered by message, whatever path it stands on', () => {
    const heights = new Map<string, number>();
    createRowLayout(path, heights, () => 100).measure(3, 20);
    expect(createRowLayout(path.slice(3), heights, () => 100).heightOf(0)).toBe(20);
  });

  test('is guessed higher for a longer text, and not without end for a question, which is folded', () => {
    const sized = (size: number, isCreatedByUser: boolean): ThreadNode => ({
      ...nodeOf(message('m', 1)),
      size,
      isCreatedByUser,
    });
    expect(estimateHeight(sized(5000, false), 700)).toBeGreaterThan(estimateHeight(sized(500, false), 700));
    expect(estimateHeight(sized(5000, false), 300)).toBeGreaterThan(estimateHeight(sized(5000, false), 700));
    expect(estimateHeight(sized(1e6, true), 700)).toBe(estimateHeight(sized(1e5, true), 700));
  });
});

describe('messages that come near the view', () => {
  test('are read a batch at a time, and what is no longer wanted is not', async () => {
    const many = Array.from({ length: 100 }, (_, seq) => nodeOf(message(`m${seq}`, seq)));
    const batches: string[][] = [];
    let answer = () => {};
    const reader = createBodyReader((nodes) => {
      batches.push(nodes.map(({ messageId }) => messageId));
      return new Promise((resolve) => (answer = () => resolve(new Set(batches.at(-1)))));
    }, never);
    const end = reader.open();
    reader.want(many);
    reader.want(many.slice(90));
    answer();
    await expect.poll(() => batches.length).toBe(2);
    expect(batches[0]).toHaveLength(30);
    expect(batches[1]).toEqual(many.slice(90).map(({ messageId }) => messageId));
    end();
  });

  test('are not asked for again when they do not exist', async () => {
    let asked = 0;
    const reader = createBodyReader(async (nodes) => {
      asked += nodes.length;
      return new Set(['m0']);
    }, never);
    const end = reader.open();
    reader.want(path.slice(0, 2));
    await expect.poll(() => asked).toBe(2);
    await Promise.resolve();
    reader.want(path.slice(1, 2));
    await Promise.resolve();
    expect(asked).toBe(2);
    end();
  });

  test('are asked for again when the answer did not come', async () => {
    let asked = 0;
    const reader = createBodyReader(async () => {
      asked++;
      if (asked === 1) throw new Error('no network');
      return new Set(['m0']);
    }, never);
    const end = reader.open();
    reader.want(path.slice(0, 1));
    await expect.poll(() => asked, { timeout: 5000 }).toBe(2);
    end();
  });

  test('are not asked for again when they are refused for good, which is told once', async () => {
    const asked: string[] = [];
    const told: Reason[] = [];
    const reader = createBodyReader(
      async (nodes) => {
        asked.push(...nodes.map(({ messageId }) => messageId));
        throw refusal({ type: 'forbidden' });
      },
      (reason) => told.push(reason),
    );
    const end = reader.open();
    reader.want(path.slice(0, 1));
    await expect.poll(() => told).toEqual([{ type: 'forbidden' }]);
    await Promise.resolve();
    reader.want(path.slice(0, 2));
    await expect.poll(() => asked).toEqual(['m0', 'm1']);
    await pause(700, new AbortController().signal);
    expect(asked).toEqual(['m0', 'm1']);
    expect(told).toHaveLength(1);
    end();
  });
});

describe('where a reader was', () => {
  test('is kept for the last hundred conversations', () => {
    for (let n = 0; n <= 100; n++) rememberPlace(`convo-${n}`, { messageId: 'm', offset: n });
    expect(findPlace('convo-0')).toBeUndefined();
    expect(findPlace('convo-100')).toEqual({ messageId: 'm', offset: 100 });
  });

  test('is forgotten when they went to the end', () => {
    rememberPlace('lisbon', { messageId: 'm', offset: 4 });
    rememberPlace('lisbon', null);
    expect(findPlace('lisbon')).toBeUndefined();
  });

  test('is nowhere when what is stored is damaged', () => {
    localStorage.setItem('places', '{"lisbon":{"messageId":4}}');
    expect(findPlace('lisbon')).toBeUndefined();
  });
});

test('the address names a message by its id, and nothing else', () => {
  const id = 'B7D3A0F0-0000-4000-8000-000000000001';
  expect(findTarget(`?message=${id}`)).toBe(id.toLowerCase());
  expect(findTarget('?message=1')).toBeUndefined();
  expect(findTarget('')).toBeUndefined();
});
