import { createUploadSlots } from '@parley/server/files/upload/upload-limits';
import { expect, test } from 'vitest';

const BOUNDS = { perUser: 2, perProcess: 3, waitingPerUser: 2, waiting: 3, waitMs: 60_000 };
const staying = () => new AbortController().signal;

test('the places of a user are given in the order in which uploads came', async () => {
  const { enter } = createUploadSlots(BOUNDS);
  const [first, second] = [await enter('alice', staying()), await enter('alice', staying())];
  const order: string[] = [];
  const wait = (name: string) =>
    enter('alice', staying()).then((leave) => {
      order.push(name);
      return leave;
    });
  const [third, fourth] = [wait('third'), wait('fourth')];
  expect(await enter('alice', staying())).toBeNull();
  first?.();
  (await third)?.();
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
  second?.();
});

test('a place that one user leaves is given to another who waits for one of the process', async () => {
  const { enter } = createUploadSlots(BOUNDS);
  const [hers] = [await enter('alice', staying()), await enter('alice', staying()), await enter('bob', staying())];
  const herThird = enter('alice', staying());
  const carols = enter('carol', staying());
  const [bobs] = [enter('bob', staying())];
  expect(await enter('dave', staying())).toBeNull();
  hers?.();
  expect(await herThird).not.toBeNull();
  (await herThird)?.();
  (await carols)?.();
  expect(await bobs).not.toBeNull();
});

test('a person who leaves while waiting gets no place and takes none from others', async () => {
  const { enter } = createUploadSlots({ ...BOUNDS, perUser: 1 });
  const first = await enter('alice', staying());
  const gone = new AbortController();
  const [second, third] = [enter('alice', gone.signal), enter('alice', staying())];
  gone.abort();
  expect(await second).toBeNull();
  first?.();
  expect(await third).not.toBeNull();
  expect(await enter('bob', AbortSignal.abort())).toBeNull();
});

test('a person who has waited too long gets no place', async () => {
  const { enter } = createUploadSlots({ ...BOUNDS, perUser: 1, waitMs: 5 });
  const first = await enter('alice', staying());
  expect(await enter('alice', staying())).toBeNull();
  first?.();
  expect(await enter('alice', staying())).not.toBeNull();
});
