import { useSetAtom, useStore } from 'jotai';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { canSend } from '../chat/can-send.ts';
import { newestShownId } from '../chat/chat-actions.ts';
import type { ModelTarget } from '../catalog/model-target.ts';
import { askAllAtom, NONE, plannedAtom, type AskAll } from '../chat/columns/planned.ts';
import type { Chat } from '../chat/use-chat.ts';
import { draftKeyOf, useSlotIndex } from '../slots/slot.ts';
import { showToast } from '../ui/toast/toast.ts';
import { columnPaths } from './column-paths.ts';
import { useAskColumn, useAskColumns } from './use-ask-columns.ts';

/** Sends what is written in the message box to all models, or to the named one of them, while this is on screen. */
export function useAskAll(chat: Chat): void {
  const index = useSlotIndex();
  const setAskAll = useSetAtom(askAllAtom);
  const askAll = useAsk(chat);
  const newest = useRef(askAll);
  useLayoutEffect(() => void (newest.current = askAll));
  useEffect(() => {
    setAskAll((all) => ({ ...all, [index]: (...asked) => newest.current(...asked) }));
    return () => setAskAll((all) => Object.fromEntries(Object.entries(all).filter(([slot]) => Number(slot) !== index)));
  }, [index, setAskAll]);
}

function useAsk(chat: Chat): AskAll {
  const { t } = useTranslation();
  const store = useStore();
  const one = useAskColumn(chat);
  const all = useAskColumns(chat);
  const { slot, modelTarget, actions, convo, tree } = chat;
  const { columns } = columnPaths(convo?.columns, tree);

  return (text, attachments, mention, queuedId) => {
    const trimmed = text.trim();
    if ((trimmed === '' && attachments.length === 0) || !modelTarget || !canSend(chat, queuedId !== undefined))
      return false;
    if (columns.length < 2) return askPlanned(modelTarget, text, attachments, mention);
    if (!mention) return all.sendToAll(columns, trimmed, attachments, queuedId);
    const { endpoint, model } = mention.target;
    const named = columns.find(({ column }) => column.endpoint === endpoint && column.model === model);
    if (named) return one.send(named, trimmed, attachments, queuedId);
    showToast({ message: t('com_compare_not_here', { 0: mention.name }), severity: 'error' });
    return false;
  };

  function askPlanned(own: ModelTarget, ...[text, attachments, mention]: Parameters<AskAll>): boolean {
    const draft = draftKeyOf(slot);
    const planned = store.get(plannedAtom)[draft] ?? NONE;
    const isAlone = mention !== undefined || planned.length === 0;
    const parentId = newestShownId(store, chat);
    const isSent = isAlone
      ? actions.send(text, attachments, { once: mention })
      : all.sendTo([own, ...planned], parentId, text.trim(), attachments);
    if (!isSent) return false;
    store.set(plannedAtom, draft, NONE);
    // Whom the next question goes to stays with the chat that this one begins.
    if (isAlone) store.set(plannedAtom, slot.conversationId, planned);
    return true;
  }
}
