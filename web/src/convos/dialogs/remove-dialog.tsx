import type { TRASH_DAYS } from '@parley/schema/convos/deletions';
import { useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { useRemove } from '../actions/use-remove.ts';
import { readSetting } from '../../stored-settings.ts';
import { isLoaded, selectionAtom } from '../selection.ts';
import { useForgetMemories } from './use-forget-memories.tsx';
import type { ConvoOrId } from '../../dialogs/open-dialog.ts';

const DAYS: typeof TRASH_DAYS = 7;

interface RemoveDialogProps {
  convos: readonly ConvoOrId[];
  onClose: () => void;
  onRemoved: () => void;
}

/** Confirms and deletes these conversations. */
export function RemoveDialog({ convos, onClose, onRemoved }: RemoveDialogProps) {
  const { t } = useTranslation();
  const remove = useRemove();
  const setSelection = useSetAtom(selectionAtom);
  const memories = useForgetMemories(convos);
  const [first] = convos;
  const title = first && isLoaded(first) ? first.title : null;

  // One that can be undone, where the person wants no question.
  const isAsking = !readSetting('deleteWithoutAsking');
  const isDone = useRef(false);
  useEffect(() => {
    if (isAsking || isDone.current) return;
    isDone.current = true;
    confirm();
  });
  if (!isAsking) return null;

  function confirm(): void {
    onRemoved();
    setSelection(null);
    remove(convos.map(({ conversationId }) => conversationId));
    memories.forgetChosen();
  }

  return (
    <ConfirmDialog
      title={t('com_ui_delete_convos', { count: convos.length })}
      text={`${
        convos.length === 1
          ? t('com_ui_delete_convo_confirm', { 0: title ?? t('com_ui_new_chat') })
          : t('com_ui_delete_convos_confirm')
      } ${t('com_ui_delete_undo', { count: DAYS })}`}
      verb={t('com_ui_delete')}
      onCancel={onClose}
      onConfirm={confirm}
    >
      {memories.choice}
    </ConfirmDialog>
  );
}
