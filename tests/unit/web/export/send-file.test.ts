// A file on its way to the server, against the server's own reading of what arrives.
import type { ImportItem, ImportLine } from '@parley/schema/transfer/results';
import { createSplitter } from '@parley/schema/transfer/splitter';
import { IMPORT_LIMITS } from '@parley/schema/transfer/results';
import { expect, test } from 'vitest';
import { sendFile, type ImportResponse } from '../../../../web/src/import/send-file.ts';

test('a file is sent in small requests, and every result names its position', async () => {
  const wire = createWire();
  const things = Array.from({ length: 130 }, (_, index) => ({ title: `Thing ${index}`, text: 'x'.repeat(20_000) }));
  const { items, done, fault } = await send(JSON.stringify(things), wire);
  expect(fault).toBeNull();
  expect(items.map(({ index, title }) => [index, title])).toEqual(things.map(({ title }, index) => [index, title]));
  expect(wire.bodies.length).toBeGreaterThan(4);
  expect(Math.max(...wire.bodies.map(({ length }) => length))).toBeLessThan(600_000);
  expect(done.at(-1)).toBe(JSON.stringify(things).length);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
});

test('the progress counts what was answered, not what was read', async () => {
  const things = Array.from({ length: 150 }, (_, index) => ({ title: `Thing ${index}`, text: 'x'.repeat(200) }));
  const text = JSON.stringify(things);
  const { done } = await send(text, createWire());
  expect(done.map((bytes) => Math.round((bytes / text.length) * 3))).toEqual([1, 2, 3]);
});

test('a request refused as too large is sent in halves, and one that cannot be halved is skipped', async () => {
  const wire = createWire(60_000);
  const things = [10_000, 10_000, 90_000, 10_000].map((length, index) => ({
    title: `T${index}`,
    text: 'x'.repeat(length),
  }));
  const { items } = await send(JSON.stringify(things), wire);
  expect(items.map((item) => [item.index, item.title, item.outcome])).toEqual([
    [0, 'T0', 'present'],
    [1, 'T1', 'present'],
    [2, 'T2', 'skipped'],
    [3, 'T3', 'present'],
  ]);
});

test('an invalid file is not sent', async () => {
  const wire = createWire();
  expect(await send('<html>', wire)).toMatchObject({ fault: 'not_json', items: [] });
  expect(wire.bodies).toEqual([]);
});

test('the values before a syntax error are sent', async () => {
  const { items, fault } = await send('[{"title":"Whole"},{"title":"Ha', createWire());
  expect(fault).toBe('cut_off');
  expect(items).toMatchObject([{ index: 0, title: 'Whole' }]);
});

test('a stop takes effect between two requests', async () => {
  const stopping = new AbortController();
  const wire = createWire();
  const things = Array.from({ length: 200 }, () => ({ text: 'x'.repeat(20_000) }));
  const sending = sendFile(new Blob([JSON.stringify(things)]), {
    post: async (file) => {
      stopping.abort();
      return wire.post(file);
    },
    onProgress: () => {},
    signal: stopping.signal,
  });
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
  expect(wire.bodies.length).toBeLessThan(5);
});

async function send(text: string, wire: ReturnType<typeof createWire>) {
  const items: ImportItem[] = [];
  const done: number[] = [];
  const fault = await sendFile(new Blob([text]), {
    post: wire.post,
    onProgress: (some, bytes) => {
      items.push(...some);
      done.push(bytes);
    },
    signal: new AbortController().signal,
  });
  return { items: items.toSorted((a, b) => a.index - b.index), done, fault };
}

/** Answers like the server for conversations it has; refuses what is longer than `max`. */
function createWire(max = Infinity) {
  const bodies: string[] = [];
  return {
    bodies,
    async post(file: Blob): Promise<ImportResponse> {
      if (file.size > max) return 'too_large';
      const body = await file.text();
      bodies.push(body);
      const pieces = createSplitter(IMPORT_LIMITS).push(new TextEncoder().encode(body));
      const lines = pieces.map(({ index, bytes }): ImportLine => {
        const { title } = JSON.parse(Buffer.concat(bytes).toString()) as { title?: string };
        return { index, title: title ?? null, outcome: 'present', conversationId: 'c' };
      });
      return { lines: [...lines, { end: true, items: lines.length, fault: null }] };
    },
  };
}
