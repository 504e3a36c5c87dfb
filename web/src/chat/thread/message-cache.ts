// How the chat room writes into the query cache.
import type { Convo } from '@parley/schema/convos';
import type { FinalEvent } from '@parley/schema/events';
import type { Message } from '@parley/schema/messages';
import type { ThreadNode } from '@parley/schema/thread';
import type { QueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { trpc } from '../../trpc.ts';
import { coveredTo, EMPTY_THREAD, withMessages } from './stored-thread.ts';
import { changeThread, findThread, threadKey } from './thread-cache.ts';

type Utils = ReturnType<typeof trpc.useUtils>;

export interface MessageCache {
  /** What is stored of a conversation, in the order of creation; undefined while it is not loaded. */
  findMessages(conversationId: string): readonly Pick<ThreadNode, 'messageId'>[] | undefined;
  /** Takes in a conversation that begins here: there is nothing to load for it. */
  begin(convo: Convo): void;
  /** Takes in what an exchange says of its conversation. What it did to the messages is on screen already. */
  putConvo(convo: Convo): void;
  /** Takes in messages that are new or have changed. */
  putMessages(conversationId: string, messages: readonly Message[]): void;
  /** Undoes `begin`. */
  forget(conversationId: string): void;
  /** Takes in what an exchange left. Never throws: at worst the messages are loaded when next looked at. */
  settle(event: FinalEvent): Promise<void>;
  /** Loads a conversation and its messages again: now if they are on screen, else when they next are. */
  refresh(conversationId: string): void;
  /** Loads everything again in the same way. */
  refreshAll(): void;
  /** Whether the messages here lack something that happened before `convo` was as it is. */
  isBehind(convo: Convo): boolean;
}

export function createMessageCache(utils: Utils, client: QueryClient): MessageCache {
  function putConvo(convo: Convo): void {
    const { conversationId } = convo;
    utils.convos.byId.setData({ conversationId }, convo);
    changeThread(client, conversationId, (thread) => coveredTo(thread, convo.messagesSeq));
  }

  function putMessages(conversationId: string, messages: readonly Message[]): void {
    changeThread(client, conversationId, (thread) => withMessages(thread, messages));
  }

  function reload(conversationId: string): Promise<void> {
    return client.invalidateQueries({ queryKey: threadKey(conversationId) }).catch(() => {});
  }

  return {
    findMessages: (conversationId) => findThread(client, conversationId)?.nodes,
    begin(convo) {
      client.setQueryData(threadKey(convo.conversationId), EMPTY_THREAD);
      putConvo(convo);
    },
    putConvo,
    putMessages,
    forget(conversationId) {
      client.removeQueries({ queryKey: getQueryKey(trpc.convos.byId, { conversationId }, 'query') });
      client.removeQueries({ queryKey: threadKey(conversationId) });
    },
    async settle({ request, reply, convo }) {
      const { conversationId } = convo;
      // An answer that is on its way was read before this end and would undo it.
      await client.cancelQueries({ queryKey: threadKey(conversationId) });
      putConvo(convo.running === reply.generationId ? { ...convo, running: null } : convo);
      // It has cost something; nobody asks again unless the balance is on screen.
      void utils.auth.balance.invalidate();
      if (!findThread(client, conversationId)) return reload(conversationId);
      putMessages(conversationId, [request, reply]);
    },
    refresh(conversationId) {
      void utils.convos.byId.invalidate({ conversationId });
      void reload(conversationId);
    },
    refreshAll: () => void utils.messages.invalidate(),
    isBehind({ conversationId, messagesSeq }) {
      const thread = findThread(client, conversationId);
      return thread !== undefined && messagesSeq > thread.messagesSeq;
    },
  };
}
