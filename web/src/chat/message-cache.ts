// How the chat room writes into the query cache, which is the only place where stored messages live in the browser.
import type { Convo } from '@parley/schema/convos';
import type { FinalEvent } from '@parley/schema/events';
import type { Message } from '@parley/schema/messages';
import type { QueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { trpc } from '../trpc.ts';
import { mergeMessages } from './merge-messages.ts';

type Utils = ReturnType<typeof trpc.useUtils>;

export interface MessageCache {
  findMessages(conversationId: string): Message[] | undefined;
  /** Takes in a conversation that begins here: there is nothing to load for it. */
  begin(convo: Convo): void;
  putConvo(convo: Convo): void;
  /** Undoes `begin`. */
  forget(conversationId: string): void;
  /** Takes in what an exchange left. Never throws: at worst the messages are loaded when next looked at. */
  settle(event: FinalEvent): Promise<void>;
  /** Loads a conversation and its messages again: now if they are on screen, else when they next are. */
  refresh(conversationId: string): void;
  /** Loads everything again in the same way. */
  refreshAll(): void;
  /** Whether the cached messages may lack something that `convo` had when it was last updated. */
  isBehind(convo: Convo): boolean;
}

export function createMessageCache(utils: Utils, client: QueryClient): MessageCache {
  /** Up to which `updatedAt` of their conversation the cached messages were brought. */
  const coveredUntil = new Map<string, number>();

  function putConvo(convo: Convo): void {
    utils.convos.byId.setData({ conversationId: convo.conversationId }, convo);
  }

  function findMessages(conversationId: string): Message[] | undefined {
    return utils.messages.list.getData({ conversationId });
  }

  return {
    findMessages,
    begin(convo) {
      putConvo(convo);
      utils.messages.list.setData({ conversationId: convo.conversationId }, []);
    },
    putConvo,
    forget(conversationId) {
      client.removeQueries({ queryKey: getQueryKey(trpc.convos.byId, { conversationId }, 'query') });
      client.removeQueries({ queryKey: getQueryKey(trpc.messages.list, { conversationId }, 'query') });
    },
    async settle({ request, reply, convo }) {
      const { conversationId } = convo;
      putConvo(convo.running === reply.generationId ? { ...convo, running: null } : convo);
      coveredUntil.set(conversationId, Date.parse(convo.updatedAt));
      // An answer that is on its way was read before this end and would undo it.
      await utils.messages.list.cancel({ conversationId });
      if (!findMessages(conversationId)) return utils.messages.list.invalidate({ conversationId }).catch(() => {});
      utils.messages.list.setData({ conversationId }, (messages) => mergeMessages(messages ?? [], [request, reply]));
    },
    refresh(conversationId) {
      void utils.convos.byId.invalidate({ conversationId });
      void utils.messages.list.invalidate({ conversationId });
    },
    refreshAll() {
      coveredUntil.clear();
      void utils.messages.invalidate();
    },
    isBehind({ conversationId, updatedAt }) {
      const messages = findMessages(conversationId);
      if (!messages) return false;
      const covered = coveredUntil.get(conversationId) ?? newest(messages);
      coveredUntil.set(conversationId, Math.max(covered, Date.parse(updatedAt)));
      return Date.parse(updatedAt) > covered;
    },
  };
}

function newest(messages: readonly Message[]): number {
  return messages.reduce((latest, { updatedAt }) => Math.max(latest, Date.parse(updatedAt)), 0);
}
