import type { Convo } from '@parley/schema/convos/convos';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { trpc } from '../../trpc.ts';
import { personalAtom } from '../../lib/personal-data.ts';
import { withMovedPin } from '../pin-order.ts';

/** What a screen reader is told of the last move. */
export const movedPinAtom = personalAtom<string>(() => '');

/**
 * Returns a function that gives a pinned convo its index among the pinned ones: shown at once, read again if the server
 * rejects it.
 */
export function useArrangePins(): (convo: Convo, index: number) => void {
  const { t } = useTranslation();
  const { pinned } = trpc.useUtils().convos;
  const setMoved = useSetAtom(movedPinAtom);
  const { mutate } = trpc.convos.arrangePins.useMutation({
    onError: () => {
      void pinned.invalidate();
      showToast({ message: t('com_ui_pin_move_failed'), severity: 'error' });
    },
  });
  return ({ conversationId, title }, index) => {
    const before = pinned.getData() ?? [];
    const after = withMovedPin(before, conversationId, index);
    if (after === before) return;
    pinned.setData(undefined, after);
    const place = after.findIndex((one) => one.conversationId === conversationId) + 1;
    setMoved(t('com_ui_pin_moved', { 0: title ?? t('com_ui_new_chat'), 1: place, 2: after.length }));
    mutate({ conversationIds: after.map((one) => one.conversationId) });
  };
}
