import { createTRPCClient, type TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { expect, test, vi } from 'vitest';
import { orderedLink } from '../../../../web/src/session/ordered-link.ts';
import type { AppRouter } from '../../../../server/src/router.ts';

const ID = '00000000-0000-4000-8000-000000000000';

/** A client whose mutations are kept, with what answers or refuses each. */
function heldClient() {
  const sent: { title: unknown; answer(): void; refuse(): void }[] = [];
  const held: TRPCLink<AnyTRPCRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        sent.push({
          title: (op.input as { title?: string } | undefined)?.title ?? op.path,
          answer() {
            observer.next({ result: { type: 'data', data: null } });
            observer.complete();
          },
          refuse: () => observer.error(new Error('refused') as never),
        });
      });
  const paths = new Set(['convos.rename', 'folders.update']);
  const client = createTRPCClient<AppRouter>({ links: [orderedLink<AppRouter>(paths), held as TRPCLink<AppRouter>] });
  const titles = () => sent.map(({ title }) => title);
  return { client, sent, titles };
}

test('a title is sent once the one before it is answered, and what is not of its router goes at once', async () => {
  const { client, sent, titles } = heldClient();
  const rename = (title: string) => client.convos.rename.mutate({ conversationId: ID, title });
  const answers = Promise.allSettled([rename('first'), rename('second'), rename('third')]);
  void client.folders.update.mutate({ id: ID, title: 'of a folder' } as never);
  void client.convos.markAllRead.mutate(undefined as never).catch(() => {});
  await vi.waitFor(() => expect(titles()).toHaveLength(3));
  expect(titles()).toEqual(['first', 'of a folder', 'convos.markAllRead']);
  sent[0]?.refuse();
  await vi.waitFor(() => expect(titles()[3]).toBe('second'));
  expect(sent).toHaveLength(4);
  sent[3]?.answer();
  await vi.waitFor(() => expect(titles()[4]).toBe('third'));
  sent[4]?.answer();
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});
