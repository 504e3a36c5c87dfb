import type { Convo } from '@parley/schema/convos/convos';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { getMutationKey } from '@trpc/react-query';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { trpc } from '../../trpc.ts';
import { personalAtom } from '../../lib/personal-data.ts';
import { withMovedPin } from '../pin-order.ts';

/** What a screen reader is told of the last move. */
export const movedPinAtom = personalAtom<string>(() => '');

/**
 * Returns a function that gives a pinned convo its index among the pinned ones: shown at once, and read again when the
 * server has answered.
 */
export function useArrangePins(): (convo: Convo, index: number) => void {
  const { t } = useTranslation();
  const { pinned } = trpc.useUtils().convos;
  const client = useQueryClient();
  const setMoved = useSetAtom(movedPinAtom);
  const { mutate } = trpc.convos.arrangePins.useMutation({
    onError: () => showToast({ message: t('com_ui_pin_move_failed'), severity: 'error' }),
    // Moves of others have waited for the last one of these.
    onSettled: () => void (isLast(client) && pinned.invalidate()),
  });
  return ({ conversationId, title }, index) => {
    const before = pinned.getData() ?? [];
    const after = withMovedPin(before, conversationId, index);
    if (after === before) return;
    void pinned.cancel();
    pinned.setData(undefined, after);
    const place = after.findIndex((one) => one.conversationId === conversationId) + 1;
    setMoved(t('com_ui_pin_moved', { 0: title ?? t('com_ui_new_chat'), 1: place, 2: after.length }));
    mutate({ conversationIds: after.map((one) => one.conversationId) });
  };
}

/** Whether no move but the one that has just been answered is being saved. */
function isLast(client: QueryClient): boolean {
  return client.isMutating({ mutationKey: getMutationKey(trpc.convos.arrangePins) }) === 1;
}
