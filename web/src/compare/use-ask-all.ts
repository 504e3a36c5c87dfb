import type { Convo } from '@parley/schema/convos/convos';
import { useSetAtom, useStore } from 'jotai';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { endpointTypeOf } from '../catalog/choose-model.ts';
import type { ModelTarget } from '../catalog/model-target.ts';
import { canSend, newestShownId } from '../chat/chat-actions.ts';
import { useChatSession } from '../chat/chat-session-context.tsx';
import { askAllAtom, NONE, plannedAtom, type AskAll } from '../chat/columns/planned.ts';
import { opening, prepareSend, type PendingAsk } from '../chat/exchanges/prepare-ask.ts';
import type { Chat } from '../chat/use-chat.ts';
import { newId } from '../lib/new-id.ts';
import { draftKeyOf, useSlotIndex } from '../slots/slot.ts';
import { trpc } from '../trpc.ts';
import { columnPaths, type ColumnPath } from './column-paths.ts';

/** Sends what is written in the message box to all models, while this is on screen. */
export function useAskAll(chat: Chat): void {
  const index = useSlotIndex();
  const store = useStore();
  const { cache } = useChatSession();
  const utils = trpc.useUtils();
  const setAskAll = useSetAtom(askAllAtom);
  const newest = useRef(chat);
  useLayoutEffect(() => void (newest.current = chat));

  useEffect(() => {
    const askAll: AskAll = (text, attachments) => {
      const shown = newest.current;
      const { slot, modelTarget, actions } = shown;
      const { conversationId } = slot;
      if ((text.trim() === '' && attachments.length === 0) || !modelTarget || !canSend(shown)) return false;
      const draft = draftKeyOf(slot);
      const { columns } = columnPaths(shown);
      const parentId = newestShownId(store, shown);
      const targets = [modelTarget, ...(store.get(plannedAtom)[draft] ?? NONE)];
      const ends =
        columns.length > 1
          ? columns.map((one) => ({ to: columnTarget(one), parentId: one.reply.messageId as string | null }))
          : targets.map((to) => ({ to, parentId }));
      if (ends.length < 2) return actions.send(text, attachments);
      const question = newId();
      const [lead, ...others] = ends.map((end) => {
        const messageId = columns.length > 1 ? newId() : question;
        const ids = { messageId, generationId: newId(), replyId: newId() };
        return prepareSend(conversationId, end.parentId, text.trim(), end.to, attachments, ids);
      });
      if (!lead) return false;
      const pending = parentId === null ? opening(lead, slot) : lead;
      if (!actions.ask({ ...pending, others }, modelTarget)) return false;
      store.set(plannedAtom, draft, NONE);
      const convo = utils.convos.byId.getData({ conversationId });
      if (convo) cache.putConvo(besideEachOther(convo, [lead, ...others]));
      return true;
    };
    setAskAll((all) => ({ ...all, [index]: askAll }));
    return () => setAskAll((all) => Object.fromEntries(Object.entries(all).filter(([slot]) => Number(slot) !== index)));
  }, [index, store, cache, utils, setAskAll]);
}

/** As the server will have it. */
function besideEachOther(convo: Convo, asks: readonly PendingAsk[]): Convo {
  const columns = asks.map(({ ask: { endpoint, replyId }, reply: { model } }, place) => ({
    endpoint,
    model,
    settings: convo.columns?.[place]?.settings ?? {},
    replyId,
  }));
  return { ...convo, columns };
}

export function columnTarget({ column: { endpoint, model, settings } }: Pick<ColumnPath, 'column'>): ModelTarget {
  return { endpoint, endpointType: endpointTypeOf(endpoint, undefined), model, settings };
}
