// @vitest-environment happy-dom
// What the chat writes into the query cache.
import { createTRPCQueryUtils } from '@trpc/react-query';
import { expect, test } from 'vitest';
import { createMessageCache } from '../../../../web/src/chat/cache/message-cache.ts';
import { queryClient, trpcClient } from '../../../../web/src/trpc.ts';
import { convo } from './people.ts';

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
  putConvo(convo({ title: 'Boats' }));
  expect(shown()?.title).toBe('Boats');
});
