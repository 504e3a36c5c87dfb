// @vitest-environment happy-dom
// Changes that arrive while what they change is being loaded or saved.
import type { Convo } from '@parley/schema/convos/convos';
import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import { getMutationKey, getQueryKey } from '@trpc/react-query';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useReplayDeferred, useUpdateLists } from '../../../../web/src/convos/changes/use-update-lists.ts';
import { PAGE } from '../../../../web/src/convos/convo-lists.ts';
import { ParleyQueryClient } from '../../../../web/src/session/query-client.ts';
import { trpc } from '../../../../web/src/trpc.ts';
import { convo } from '../chat/people.ts';

afterEach(cleanup);

/** A page that is told of changes, and loads when it is told to. */
function open() {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => (useReplayDeferred(), useUpdateLists()), { wrapper });
  const change = (...convos: Convo[]) =>
    act(() => result.current(convos.map((one) => ({ type: 'convo', convo: one }))));
  function load(queryKey: readonly unknown[]) {
    let answer: (data: unknown) => void = () => {};
    const loaded = client.fetchQuery({ queryKey, queryFn: () => new Promise((resolve) => (answer = resolve)) });
    return async (data: unknown) => {
      answer(data);
      await act(() => loaded);
    };
  }
  function save(mutationKey: readonly unknown[]) {
    let answer: (data: unknown) => void = () => {};
    const answered = new Promise((resolve) => (answer = resolve));
    const mutationFn = () => answered;
    const saved = client.getMutationCache().build(client, { mutationKey, mutationFn }).execute(undefined);
    return async () => {
      answer(null);
      await saved;
    };
  }
  return { client, change, load, save, shown: (queryKey: readonly unknown[]) => client.getQueryData(queryKey) };
}

const byId = (conversationId: string) => getQueryKey(trpc.convos.byId, { conversationId }, 'query');

test('a title that arrives before the conversation that was read without it stays', async () => {
  const { change, load, shown } = open();
  const owls = convo({ conversationId: 'owls', title: null });
  const kites = convo({ conversationId: 'kites', title: null });
  const answer = load(byId('owls'));
  change({ ...owls, title: 'Owls at Night' });
  await load(byId('kites'))(kites);
  change({ ...kites, title: 'Kites' });
  expect(shown(byId('owls'))).toBeUndefined();
  await answer(owls);
  expect(shown(byId('owls'))).toMatchObject({ title: 'Owls at Night' });
  // What has changed since is not undone by what waited.
  expect(shown(byId('kites'))).toMatchObject({ title: 'Kites' });
  await load(byId('kites'))({ ...kites, title: 'Boats' });
  expect(shown(byId('kites'))).toMatchObject({ title: 'Boats' });
});

test('a list that was read before a change has it', async () => {
  const { change, load, shown } = open();
  const key = getQueryKey(trpc.convos.list, PAGE, 'infinite');
  const answer = load(key);
  change(convo({ conversationId: 'owls', title: 'Owls at Night' }));
  await answer({ pages: [{ convos: [], nextCursor: null }], pageParams: [null] });
  expect(shown(key)).toMatchObject({ pages: [{ convos: [{ title: 'Owls at Night' }] }] });
});

test('an earlier order of the pinned ones does not come back while a later one is being saved', async () => {
  const { client, change, save, shown } = open();
  const key = getQueryKey(trpc.convos.pinned, undefined, 'query');
  const at = (conversationId: string, pinPosition: number) => convo({ conversationId, pinPosition, isPinned: true });
  const order = () => (shown(key) as Convo[]).map(({ conversationId }) => conversationId);
  client.setQueryData(key, [at('owls', 1), at('kites', 2)]);
  const end = save(getMutationKey(trpc.convos.arrangePins));
  change(at('kites', 1), { ...at('owls', 2), title: 'Owls at Night' });
  expect(order()).toEqual(['owls', 'kites']);
  expect(shown(key)).toMatchObject([{ title: 'Owls at Night' }, {}]);
  change({ ...at('kites', 1), isPinned: false });
  expect(order()).toEqual(['owls']);
  change(at('kites', 1));
  await end();
  change(at('kites', 1), at('owls', 2));
  expect(order()).toEqual(['kites', 'owls']);
});

test('data invalidated during its first read is read again', async () => {
  const client = new ParleyQueryClient();
  const queryKey = ['prompts'];
  const answers: ((data: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const leave = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  const invalidated = client.invalidateQueries({ queryKey });
  answers[0]?.('before the change');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after the change');
  await invalidated;
  expect(client.getQueryData(queryKey)).toBe('after the change');
  leave();
});

test('data invalidated while no component reads it is read again by the next one', async () => {
  const client = new ParleyQueryClient();
  const queryKey = ['prompts'];
  const answers: ((data: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const show = () => new QueryObserver(client, { queryKey, queryFn, staleTime: 10_000 }).subscribe(() => {});
  client.setQueryData(queryKey, 'before the change');
  const leave = show();
  void client.invalidateQueries({ queryKey });
  await expect.poll(() => answers.length).toBe(1);
  leave();
  const invalidated = client.invalidateQueries({ queryKey });
  const leaveAgain = show();
  answers[0]?.('before the change');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after the change');
  await invalidated;
  expect(client.getQueryData(queryKey)).toBe('after the change');
  leaveAgain();
});

test('data invalidated while no component reads it is stale for the one that comes later', async () => {
  const client = new ParleyQueryClient();
  const queryKey = ['prompts'];
  const answers: ((data: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  client.setQueryData(queryKey, 'before the change');
  const read = client.fetchQuery({ queryKey, queryFn });
  const invalidated = client.invalidateQueries({ queryKey });
  answers[0]?.('before the change');
  await Promise.all([read, invalidated]);
  const leave = new QueryObserver(client, { queryKey, queryFn, staleTime: 10_000 }).subscribe(() => {});
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after the change');
  await expect.poll(() => client.getQueryData(queryKey)).toBe('after the change');
  leave();
});
