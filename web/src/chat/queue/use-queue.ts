// The questions of a conversation that wait for the end of its reply, and the sending of the next one. Where no page
// shows the conversation, a server sends it a little later, under the same ids.
import type { Column } from '@parley/schema/chat/columns';
import type { DraftFile } from '@parley/schema/chat/drafts';
import { exchangeIdsOf, type QueuedAsk } from '@parley/schema/chat/queue';
import type { Message } from '@parley/schema/messages/messages';
import { atom, useAtomValue, useStore } from 'jotai';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSlotIndex } from '../../slots/slot.ts';
import { newId } from '../../lib/new-id.ts';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { api, trpc } from '../../trpc.ts';
import { askAllAtom } from '../columns/planned.ts';
import { mentionOf, type Mention } from '../drafts/mention.ts';
import type { Chat } from '../use-chat.ts';
import { openQueue } from './enqueue.ts';
import { unsavedQuestions, useSaveQuestions, withUnsaved, type UnsavedQuestion } from './unsaved-questions.ts';

/** A page that nobody looks at leaves the sending to one that somebody does, in milliseconds. */
const HIDDEN_DELAY_MS = 3000;

/** Questions taken out here: a list that was read before the removal does not bring them back. */
const removedIds = atom<ReadonlySet<string>>(new Set<string>());

export interface Queue {
  items: readonly QueuedAsk[];
  /** The last reply is not whole: nothing is sent by itself. */
  isHeld: boolean;
  sendNow(item: QueuedAsk): void;
  /** Nothing is sent by itself while a question is edited. */
  setEdited(id: string | null): void;
  edit(item: QueuedAsk, text: string): void;
  remove(item: QueuedAsk): void;
}

export function useQueue(chat: Chat): Queue {
  const { conversationId } = chat.slot;
  const items = useItems(conversationId).filter(({ id }) => !chat.tree.byId.has(id));
  const [editedId, setEdited] = useState<string | null>(null);
  const [forcedId, setForced] = useState<string | null>(null);
  const { edit, remove, add } = useChanges(chat);
  useTakeFromBox((text, files, mention) => {
    const id = add(text, files, mention);
    // Who stops a reply and writes on does not wait for anything.
    if (chat.running?.status === 'stopping') setForced(id);
  });
  useRemoveSent(chat, remove);

  const { hasFailed, isHeld } = stateOfAnswers(chat, items[0]);
  const isEdited = items.some(({ id }) => id === editedId);
  useHoldServers(conversationId, { hasFailed, isEdited });
  const forced = items.find(({ id }) => id === forcedId);
  const next = forced ?? (isHeld || editedId === items[0]?.id ? undefined : items[0]);
  const send = useSendWaiting(chat, remove);
  const sendNext = useEffectEvent(() => {
    if (next) send?.(next, next === forced);
    setForced(null);
  });
  // The server, which knows the newest answer of each column, sends what follows them; the page what cannot wait.
  const isOwn = !chat.convo?.columns || next === forced;
  const isIdle = chat.generationId === null && chat.loading.status === 'ready' && lastOf(chat) !== undefined;
  const dueId = isIdle && isOwn && next && send ? next.id : null;
  useEffect(() => {
    if (dueId === null) return;
    const timer = setTimeout(sendNext, document.hidden ? HIDDEN_DELAY_MS : 0);
    return () => clearTimeout(timer);
  }, [dueId]);

  return {
    items,
    isHeld,
    setEdited,
    edit,
    remove,
    sendNow(item) {
      setForced(item.id);
      if (chat.generationId !== null) chat.actions.stop();
    },
  };
}

/** Sends one that waits, below the newest answer or those side by side; null until that can be done. */
function useSendWaiting(chat: Chat, remove: Queue['remove']): ((item: QueuedAsk, isAnyway: boolean) => void) | null {
  const askAll = useAtomValue(askAllAtom)[useSlotIndex()];
  if (chat.convo?.columns && !askAll) return null;
  return (item, isAnyway) => {
    const once = item.once && mentionOf(item.once);
    if (chat.convo?.columns) {
      if (askAll?.(item.text, item.files, once, item.id)) remove(item);
      return;
    }
    const ids = { messageId: item.id, ...exchangeIdsOf(item.id) };
    chat.actions.send(item.text, item.files, { isAnyway, ids, once });
  };
}

/** Has the servers wait, too, for what only this page knows. An edit ends where the page shows another chat. */
function useHoldServers(conversationId: string, why: { hasFailed: boolean; isEdited: boolean }): void {
  const { data } = trpc.queue.list.useQuery(undefined, { staleTime: Infinity });
  const saved = data?.filter((item) => item.conversationId === conversationId).map(({ id }) => id) ?? [];
  const savedIds = saved.join();
  const { hasFailed, isEdited } = why;
  useEffect(() => {
    if (savedIds !== '') hold(conversationId, hasFailed || isEdited);
  }, [conversationId, savedIds, hasFailed, isEdited]);
  useEffect(() => (isEdited ? () => hold(conversationId, false) : undefined), [conversationId, isEdited]);
}

/** A server that cannot be reached goes on as before. */
function hold(conversationId: string, isHeld: boolean): void {
  api.queue.hold.mutate({ conversationId, isHeld }).catch(() => {});
}

function useItems(conversationId: string): readonly QueuedAsk[] {
  const saved = trpc.queue.list.useQuery(undefined, { staleTime: Infinity }).data ?? [];
  const all = withUnsaved(saved, useAtomValue(unsavedQuestions.all));
  const removed = useAtomValue(removedIds);
  return all.filter((item) => item.conversationId === conversationId && !removed.has(item.id));
}

function useChanges({ slot: { conversationId }, modelTarget }: Chat) {
  const store = useStore();
  const utils = trpc.useUtils();
  const removing = trpc.queue.remove.useMutation({
    retry: 5,
    onError: (_error, { id }) => store.set(removedIds, (ids) => new Set([...ids].filter((one) => one !== id))),
    onSettled: () => utils.queue.list.invalidate(),
  });
  useSaveQuestions(conversationId);

  function keep(item: UnsavedQuestion): void {
    store.set(unsavedQuestions.entry(item.id), item);
    unsavedQuestions.flush();
  }

  return {
    add(text: string, files: DraftFile[], mention?: Mention): string {
      const id = newId();
      const own = modelTarget ? askedOf(modelTarget) : undefined;
      const once = mention && own && { ...askedOf(mention.target), name: mention.name };
      const target = once ? { ...once, keeps: own } : own;
      keep({ id, conversationId, text, files, target, ...(once && { once }), askedAt: Date.now() });
      return id;
    },
    edit(item: QueuedAsk, text: string) {
      const known = store.get(unsavedQuestions.entry(item.id));
      keep({ ...item, text, target: known?.target, askedAt: known?.askedAt ?? Date.now() });
    },
    remove({ id }: QueuedAsk) {
      store.set(unsavedQuestions.entry(id), undefined);
      unsavedQuestions.flush();
      store.set(removedIds, (ids) => new Set([...ids, id]));
      removing.mutate({ id });
    },
  };
}

/** The message box hands over what cannot be sent while a reply is in progress. */
function useTakeFromBox(add: (text: string, files: DraftFile[], mention?: Mention) => void): void {
  const index = useSlotIndex();
  const take = useEffectEvent(add);
  useEffect(() => openQueue(index, (text, files, mention) => take(text, [...files], mention)), [index]);
}

function askedOf({ endpoint, model, settings }: ModelTarget) {
  return { endpoint, model, settings };
}

/** A question that the server has, or that was refused and is shown as such, waits no longer. */
function useRemoveSent(chat: Chat, remove: (item: QueuedAsk) => void): void {
  const items = useItems(chat.slot.conversationId);
  const unsent = new Set(
    chat.exchanges.flatMap(({ status, request }) =>
      status === 'queued' || status === 'starting' ? [request.messageId] : [],
    ),
  );
  const sent = items.filter(({ id }) => chat.tree.byId.has(id) && !unsent.has(id));
  const removeSent = useEffectEvent(() => sent.forEach(remove));
  const sentIds = sent.map(({ id }) => id).join();
  useEffect(() => {
    if (sentIds !== '') removeSent();
  }, [sentIds]);
}

/** Whether something was refused, and whether nothing is sent by itself because of the answers that a question follows. */
function stateOfAnswers(chat: Chat, item: QueuedAsk | undefined): { hasFailed: boolean; isHeld: boolean } {
  const columns = chat.convo?.columns;
  const answers = columns ? followedBy(item, columns).map(({ replyId }) => chat.findMessage(replyId)) : [lastOf(chat)];
  // An answer that failed beside others is in its column; what was refused whole is nowhere.
  const hasFailed = chat.exchanges.some(
    ({ status, reply }) => status === 'failed' && !columns?.some(({ replyId }) => replyId === reply.messageId),
  );
  const areWaiting = answers.some((one) => one?.finishReason === 'tool_calls' && one.reason === null);
  return { hasFailed, isHeld: hasFailed || areWaiting || answers.every(isBroken) };
}

/** The columns that a question follows: all, or the one that it names. */
function followedBy(item: QueuedAsk | undefined, columns: readonly Column[]): readonly Column[] {
  const { once } = item ?? {};
  const named = columns.filter(({ endpoint, model }) => endpoint === once?.endpoint && model === once.model);
  return named.length > 0 ? named : columns;
}

function lastOf({ path, findMessage }: Chat): Message | undefined {
  return findMessage(path.at(-1)?.messageId ?? '');
}

/** Failed, broken off, stopped, or waiting for a decision. */
function isBroken(last: Message | undefined): boolean {
  if (!last || last.isCreatedByUser) return false;
  return (
    last.unfinished || last.reason !== null || last.finishReason === 'incomplete' || last.finishReason === 'tool_calls'
  );
}
