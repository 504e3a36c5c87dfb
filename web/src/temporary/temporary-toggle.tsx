import { IconGhost2 } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { isTemporary } from '../chat/is-temporary.ts';
import type { ChatState } from '../chat/chat-state.ts';
import { withKeys } from '../layout/shortcuts.ts';
import { slotAtom, useSlotIndex } from '../slots/slot.ts';
import { IconButton } from '../ui/icon-button.tsx';

/** Makes a new chat a temporary one, and back. */
export function TemporaryToggle({ chat }: { chat: Pick<ChatState, 'slot' | 'convo'> }) {
  const { t } = useTranslation();
  const setSlot = useSetAtom(slotAtom(useSlotIndex()));
  const isOn = isTemporary(chat);
  return (
    <IconButton
      label={isOn ? t('com_temporary_end') : t('com_temporary_start')}
      aria-pressed={isOn}
      data-testid="temporary-toggle"
      {...withKeys('temporary')}
      onClick={() => setSlot((slot) => ({ ...slot, isTemporary: !isOn }))}
    >
      <IconGhost2 aria-hidden />
    </IconButton>
  );
}
