// @vitest-environment happy-dom
// What the chat writes into the query cache.
import type { Convo } from '@parley/schema/convos/convos';
import { createTRPCQueryUtils, getQueryKey } from '@trpc/react-query';
import { expect, test } from 'vitest';
import { createMessageCache } from '../../../../web/src/chat/cache/message-cache.ts';
import { queryClient, trpc, trpcClient } from '../../../../web/src/trpc.ts';
import { convo, message } from './people.ts';

test('a title that arrived before the end of its first answer stays', () => {
  const { conversationId } = convo();
  const utils = createTRPCQueryUtils({ queryClient, client: trpcClient });
  const { putConvo } = createMessageCache(utils, queryClient);
  const shown = () => utils.convos.byId.getData({ conversationId });
  putConvo(convo({ title: null }));
  expect(shown()?.title).toBeNull();
  utils.convos.byId.setData({ conversationId }, convo({ title: 'Kites' }));
  putConvo(convo({ title: null, messagesSeq: 7 }));
  expect(shown()).toMatchObject({ title: 'Kites', messagesSeq: 7 });
  putConvo(convo({ title: 'Boats', messagesSeq: 7 }));
  expect(shown()?.title).toBe('Boats');
});

test('of two answers that end at once the one that arrives last does not bring back that the other is being written', async () => {
  const { conversationId } = convo({ conversationId: 'porto' });
  const utils = createTRPCQueryUtils({ queryClient, client: trpcClient });
  const { begin, applyFinal } = createMessageCache(utils, queryClient);
  const shown = () => utils.convos.byId.getData({ conversationId });
  const at = (messagesSeq: number, more: Partial<Convo>) => convo({ conversationId, messagesSeq, ...more });
  begin(at(5, { running: 'one', runsLeft: 2 }));
  const earlier = at(6, { running: 'one', runsLeft: 1 });
  const last = at(7, { running: null });
  const final = (ended: Convo, generationId: string) => ({
    type: 'final' as const,
    request: message('question', 5, { conversationId, isCreatedByUser: true }),
    reply: message(generationId, 6, { conversationId, generationId }),
    convo: ended,
  });
  await applyFinal(final(last, 'two'));
  await applyFinal(final(earlier, 'one'));
  expect(shown()).toMatchObject({ running: null, messagesSeq: 7 });
  expect(shown()).not.toHaveProperty('runsLeft');
  // A request that has read it before that.
  await queryClient.fetchQuery({
    queryKey: getQueryKey(trpc.convos.byId, { conversationId }, 'query'),
    queryFn: () => earlier,
    staleTime: 0,
  });
  expect(shown()).toEqual(last);
});

test('what arrives while columns are being saved does not bring back the former ones, which a refusal does', async () => {
  const { conversationId } = convo({ conversationId: 'side by side' });
  const utils = createTRPCQueryUtils({ queryClient, client: trpcClient });
  const { putConvo, saveColumns } = createMessageCache(utils, queryClient);
  const shown = () => utils.convos.byId.getData({ conversationId });
  const columns = ['one', 'two'].map((replyId) => ({ endpoint: 'openAI', model: 'gpt-4', settings: {}, replyId }));
  const beside = convo({ conversationId, columns });
  putConvo(beside);
  let answer: (convo: Convo) => void = () => {};
  const saving = saveColumns(conversationId, null, () => new Promise((resolve) => (answer = resolve)));
  expect(shown()).not.toHaveProperty('columns');
  utils.convos.byId.setData({ conversationId }, { ...beside, title: 'Kites' });
  expect(shown()).toMatchObject({ title: 'Kites' });
  expect(shown()).not.toHaveProperty('columns');
  answer(convo({ conversationId, title: 'Kites' }));
  await saving;
  expect(shown()).not.toHaveProperty('columns');

  putConvo(beside);
  const refused = saveColumns(conversationId, null, async () => {
    utils.convos.byId.setData({ conversationId }, { ...beside, title: 'Boats' });
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(shown()).toEqual({ ...beside, title: 'Boats' });
});
