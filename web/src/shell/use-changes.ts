import type { Change } from '@parley/schema/convos';
import { useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../lib/toast.tsx';
import { trpc } from '../trpc.ts';
import { onChange, tellChange } from './changes.ts';
import { followChanges } from './follow-changes.ts';
import { useOpenId } from './open-convo.ts';
import { useChangeList } from './use-change-list.ts';
import { useForgetConvo } from './use-forget-convo.ts';
import { useNewChat } from './use-new-chat.ts';

/** Keeps the list and the open chat true to what happens in other tabs and devices. One per signed-in tab. */
export function useChanges(): void {
  useFeed();
  useListUpkeep();
  useLeaveRemoved();
}

function useFeed(): void {
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = getQueryKey(trpc.convos.list);
    return followChanges({
      tell: tellChange,
      async onFresh() {
        await client.cancelQueries({ queryKey });
        await client.invalidateQueries({ queryKey });
      },
    });
  }, [client]);
}

function useListUpkeep(): void {
  const changeList = useChangeList();
  useEffect(() => onChange(changeList), [changeList]);
}

/** Someone deleted the convo that is open here: say so and start a new chat, since nothing can be sent to it. */
function useLeaveRemoved(): void {
  const { t } = useTranslation();
  const newChat = useNewChat();
  const openId = useOpenId();
  const forget = useForgetConvo();
  useEffect(
    () =>
      onChange((change: Change) => {
        if (change.type !== 'removed') return;
        if (change.conversationId === openId) {
          showToast({ message: t('com_ui_convo_removed_elsewhere'), severity: 'info' });
          newChat();
        }
        forget(change.conversationId);
      }),
    [openId, newChat, forget, t],
  );
}
