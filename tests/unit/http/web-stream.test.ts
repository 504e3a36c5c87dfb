import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { toWebStream } from '../../../server/src/http/web-stream.ts';

test('the pieces of a stream arrive in order, and its failure does', async () => {
  expect(await new Response(toWebStream(Readable.from([Buffer.from('one '), Buffer.from('two')]))).text()).toBe(
    'one two',
  );
  const failing = new PassThrough();
  failing.write('one');
  failing.destroy(new Error('The disk is gone'));
  await expect(new Response(toWebStream(failing)).text()).rejects.toThrow();
});

// An error that nobody can catch would end this process, too.
test('a reader may go while a piece is on its way', async () => {
  const source = new Readable({ read: () => {} });
  for (let n = 0; n < 3; n++) source.push(Buffer.alloc(70_000));
  const reader = toWebStream(source).getReader();
  await setImmediate();
  const reading = reader.read();
  await reader.cancel();
  expect(await reading).toMatchObject({ done: true });
  await setImmediate();
  expect(source.destroyed).toBe(true);
});

test('nothing is read before it is asked for', async () => {
  let read = 0;
  const source = new Readable({ highWaterMark: 1, read: () => void (read++ < 3 && source.push('x')) });
  const stream = toWebStream(source);
  await setImmediate();
  expect(read).toBe(0);
  await stream.cancel();
});
