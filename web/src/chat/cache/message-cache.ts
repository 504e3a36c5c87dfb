// Writes of the chat session into the query cache.
import type { Column } from '@parley/schema/chat/columns';
import type { Convo } from '@parley/schema/convos/convos';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Message } from '@parley/schema/messages/messages';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { replaceEqualDeep, type QueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { trpc } from '../../trpc.ts';
import { withMessagesSeq, EMPTY_THREAD, withMessages } from './stored-thread.ts';
import { updateThread, findThread, threadKey } from './thread-query.ts';

type Utils = Pick<ReturnType<typeof trpc.useUtils>, 'auth' | 'convos' | 'messages'>;

export interface MessageCache {
  /** The cached messages of a conversation, in the order of creation; undefined while not loaded. */
  findMessages(conversationId: string): readonly Pick<ThreadNode, 'messageId'>[] | undefined;
  /** Adds a new conversation, which needs no request. */
  begin(convo: Convo): void;
  /** Updates the conversation from an exchange, whose messages are on screen already. */
  putConvo(convo: Convo): void;
  /**
   * Shows a conversation with these columns, null for none, while `save` stores them and returns it. What arrives
   * meanwhile does not undo that. Rejects with the error of `save`, after which the columns are as they were.
   */
  saveColumns(conversationId: string, columns: Column[] | null, save: () => Promise<Convo>): Promise<void>;
  /** Adds or replaces messages. */
  putMessages(conversationId: string, messages: readonly Message[]): void;
  /** Undoes `begin`. */
  forget(conversationId: string): void;
  /** Stores the result of an exchange. Never throws: at worst the messages are refetched at their next use. */
  applyFinal(event: FinalEvent): Promise<void>;
  /** Refetches a conversation and its messages: now if they are on screen, else at their next use. */
  refresh(conversationId: string): void;
  /** Refetches all threads in the same way. */
  refreshAll(): void;
  /** Whether the cached messages are older than `convo`. */
  isBehind(convo: Convo): boolean;
}

export function createMessageCache(utils: Utils, client: QueryClient): MessageCache {
  /** Columns that are being saved, by conversation. */
  const savings = new Map<string, { columns: Column[] | null }>();
  client.setQueryDefaults(getQueryKey(trpc.convos.byId), {
    structuralSharing: (known, sent) => keepNewer(known as Convo | undefined, withSaving(sent as Convo)),
  });

  function withSaving(convo: Convo): Convo {
    const saving = savings.get(convo.conversationId);
    return saving ? withColumns(convo, saving.columns) : convo;
  }

  const findConvo = (conversationId: string) => utils.convos.byId.getData({ conversationId });

  function putConvo(convo: Convo): void {
    const { conversationId } = convo;
    // The title may have arrived before the end of the reply, which does not know it then.
    const withTitle = (known?: Convo) => ({ ...convo, title: convo.title ?? known?.title ?? null });
    utils.convos.byId.setData({ conversationId }, withTitle);
    updateThread(client, conversationId, (thread) => withMessagesSeq(thread, convo.messagesSeq));
  }

  function putMessages(conversationId: string, messages: readonly Message[]): void {
    updateThread(client, conversationId, (thread) => withMessages(thread, messages));
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
    async saveColumns(conversationId, columns, save) {
      const before = findConvo(conversationId);
      const saving = { columns };
      savings.set(conversationId, saving);
      const end = () => savings.get(conversationId) === saving && savings.delete(conversationId);
      if (before) putConvo(before);
      try {
        const saved = await save();
        end();
        putConvo(saved);
      } catch (error) {
        end();
        const shown = findConvo(conversationId);
        if (shown) putConvo(withColumns(shown, before?.columns ?? null));
        throw error;
      }
    },
    putMessages,
    forget(conversationId) {
      client.removeQueries({ queryKey: getQueryKey(trpc.convos.byId, { conversationId }, 'query') });
      client.removeQueries({ queryKey: threadKey(conversationId) });
    },
    async applyFinal({ request, reply, convo }) {
      const { conversationId } = convo;
      // A response in flight predates this event and would overwrite it.
      await client.cancelQueries({ queryKey: threadKey(conversationId) });
      putConvo(convo.running === reply.generationId && !convo.runsLeft ? { ...convo, running: null } : convo);
      // The exchange has cost credits. Refetches only while the balance is on screen.
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

/**
 * A conversation arrives by its exchanges, by the change feed and by requests, which overtake each other: of two answers
 * that end at once the first one says that the second is being written.
 */
function keepNewer(before: Convo | undefined, now: Convo): Convo {
  return before && now.messagesSeq < before.messagesSeq ? before : replaceEqualDeep(before, now);
}

function withColumns(convo: Convo, columns: Column[] | null): Convo {
  const { columns: _known, ...rest } = convo;
  return columns ? { ...rest, columns } : rest;
}
