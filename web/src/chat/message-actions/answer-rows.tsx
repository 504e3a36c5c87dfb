import { IconPlayerStop, IconShare2, IconThumbDown, IconThumbUp, IconVolume } from '@tabler/icons-react';
import { readableText, type Message } from '@parley/schema/messages/messages';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { useChatSession } from '../chat-session-context.tsx';
import { rateMessage } from '../rating/rate-message.ts';
import { isRatable } from '../rating/thumbs.tsx';
import { canRead, readAloud, spokenAtom, stopReading } from '../read-aloud/read-aloud.ts';

/** What can be done with an answer by its menu alone, where the browser can. */
export function AnswerRows({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { cache } = useChatSession();
  const isSpoken = useAtomValue(spokenAtom) === message.messageId;
  const text = readableText(message);
  if (message.isCreatedByUser || text === '') return null;
  const isNarrow = window.matchMedia('(max-width: 768px)').matches;
  return (
    <>
      {isNarrow && isRatable(message) && (
        <>
          <MenuRow icon={IconThumbUp} onClick={() => void rateMessage(cache, message, 1)}>
            {message.rating === 1 ? t('com_chat_unrate') : t('com_chat_good_answer')}
          </MenuRow>
          <MenuRow icon={IconThumbDown} onClick={() => void rateMessage(cache, message, -1)}>
            {message.rating === -1 ? t('com_chat_unrate') : t('com_chat_bad_answer')}
          </MenuRow>
        </>
      )}
      {isSpoken ? (
        <MenuRow icon={IconPlayerStop} onClick={stopReading}>
          {t('com_chat_stop_reading')}
        </MenuRow>
      ) : (
        canRead() && (
          <MenuRow icon={IconVolume} onClick={() => readAloud(message.messageId, text)}>
            {t('com_chat_read_aloud')}
          </MenuRow>
        )
      )}
      {'share' in navigator && (
        <MenuRow icon={IconShare2} onClick={() => void navigator.share({ text }).catch(() => {})}>
          {t('com_chat_share_answer')}
        </MenuRow>
      )}
    </>
  );
}
