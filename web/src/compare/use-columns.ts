// What can be done with answers side by side.
import type { Column } from '@parley/schema/chat/columns';
import { useStore } from 'jotai';
import { chooseBranchesAtom, choicesTo } from '../chat/cache/branches.ts';
import { useChatSession } from '../chat/chat-session-context.tsx';
import type { Chat } from '../chat/use-chat.ts';
import { leaveToComposer } from '../slots/focus-composer.ts';
import { slotAtom, useSlotIndex } from '../slots/slot.ts';
import { api } from '../trpc.ts';
import type { ColumnPath } from './column-paths.ts';
import { useAskColumn, useAskColumns } from './use-ask-columns.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';

export function useColumns(chat: Chat) {
  const showError = useShowError();
  const store = useStore();
  const index = useSlotIndex();
  const { cache } = useChatSession();
  const { conversationId } = chat.slot;

  /** One that the server refuses is as it was. */
  async function set(columns: Column[] | null, save = () => api.convos.setColumns.mutate({ conversationId, columns })) {
    const saving = cache.saveColumns(conversationId, columns, save);
    if (columns === null) leaveToComposer(index);
    await saving.catch(showError);
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
    ...useAskColumns(chat),
  };
}
