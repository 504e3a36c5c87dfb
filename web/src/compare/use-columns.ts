// What can be done with answers side by side.
import type { Column } from '@parley/schema/chat/columns';
import type { Convo } from '@parley/schema/convos/convos';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import { useStore } from 'jotai';
import type { OtherModel } from '../catalog/model-target.ts';
import { chooseBranchesAtom, choicesTo } from '../chat/cache/branches.ts';
import { useChatSession } from '../chat/chat-session-context.tsx';
import { prepareContinue, prepareRegenerate, prepareResume, type PendingAsk } from '../chat/exchanges/prepare-ask.ts';
import type { Decide } from '../chat/steps/approval-requests.tsx';
import type { Chat } from '../chat/use-chat.ts';
import { leaveToComposer } from '../slots/focus-composer.ts';
import { slotAtom, useSlotIndex } from '../slots/slot.ts';
import { api, trpc } from '../trpc.ts';
import type { ColumnPath } from './column-paths.ts';
import { columnTarget } from './use-ask-all.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';

export function useColumns(chat: Chat) {
  const showError = useShowError();
  const store = useStore();
  const index = useSlotIndex();
  const { cache } = useChatSession();
  const utils = trpc.useUtils();
  const { conversationId } = chat.slot;

  /** One that the server refuses is as it was. */
  async function set(columns: Column[] | null, act = () => api.convos.setColumns.mutate({ conversationId, columns })) {
    const before = utils.convos.byId.getData({ conversationId });
    if (before) cache.putConvo(withColumns(before, columns));
    if (columns === null) leaveToComposer(index);
    try {
      cache.putConvo(await act());
    } catch (error) {
      if (before) cache.putConvo(before);
      showError(error);
    }
  }

  function show(replyId: string): void {
    store.set(chooseBranchesAtom, conversationId, choicesTo(chat.tree, replyId));
    // The chat goes on with the model of that column, whatever was chosen before.
    store.set(slotAtom(index), (slot) => ({ ...slot, choice: null }));
  }

  return {
    /** The chat goes on as an ordinary thread; the other answers stay beside this one. */
    goOnWith({ reply }: ColumnPath) {
      const replyId = reply.messageId;
      show(replyId);
      return set(null, () => api.compare.goOn.mutate({ conversationId, replyId }));
    },
    end: () => set(null),
    remove(place: number) {
      const left = chat.convo?.columns?.filter((_, at) => at !== place) ?? [];
      const [only] = left;
      if (left.length === 1 && only) show(only.replyId);
      return set(left.length > 1 ? left : null);
    },
    ...useAskColumn(chat),
  };
}

/** Asks of one column alone. */
function useAskColumn(chat: Chat) {
  const { cache } = useChatSession();
  const utils = trpc.useUtils();
  const { conversationId } = chat.slot;

  return {
    /** One more model answers the question that all of them have. */
    add({ columns }: { columns: readonly ColumnPath[] }, other: OtherModel) {
      const [first] = columns;
      const question = chat.findMessage(first?.reply.parentMessageId ?? '');
      if (!first || !question) return;
      const settings = carrySettings(other.endpointType, other.model, first.column.settings);
      const pending = prepareRegenerate(question.messageId, question, { ...other, settings });
      askAs(pending, chat.convo?.columns?.length ?? 0);
    },
    regenerate(one: ColumnPath, other?: OtherModel) {
      const question = chat.findMessage(one.reply.parentMessageId ?? '');
      if (!question) return;
      const own = columnTarget(one);
      const to = other ? { ...other, settings: carrySettings(other.endpointType, other.model, own.settings) } : own;
      askAs(prepareRegenerate(question.messageId, question, to), one.place, Boolean(other));
    },
    goOn(one: ColumnPath) {
      const reply = chat.findMessage(one.reply.messageId);
      const question = chat.findMessage(one.reply.parentMessageId ?? '');
      if (reply && question) ask(prepareContinue(question, reply, columnTarget(one)));
    },
    decide(one: ColumnPath): Decide {
      return (decisions) => {
        const reply = chat.findMessage(one.reply.messageId);
        const question = chat.findMessage(one.reply.parentMessageId ?? '');
        if (reply && question) ask(prepareResume(question, reply, decisions, columnTarget(one)));
      };
    },
  };

  function ask(pending: PendingAsk): boolean {
    const { modelTarget } = chat;
    if (!modelTarget) return false;
    return chat.actions.ask({ ...pending, ask: { ...pending.ask, keepsModel: true } }, modelTarget);
  }

  /** The new reply takes its place at once. */
  function askAs(pending: PendingAsk, column: number, isOther = false): void {
    if (!ask({ ...pending, ask: { ...pending.ask, column } })) return;
    const convo = utils.convos.byId.getData({ conversationId });
    const { endpoint, model = null, settings, replyId } = pending.ask;
    const known = convo?.columns?.[column];
    const next = known && !isOther ? { ...known, replyId } : { endpoint, model, settings, replyId };
    const columns = [...(convo?.columns ?? [])];
    columns[column] = next as Column;
    if (convo) cache.putConvo({ ...convo, columns });
  }
}

function withColumns(convo: Convo, columns: Column[] | null): Convo {
  const { columns: _known, ...rest } = convo;
  return columns ? { ...rest, columns } : rest;
}
