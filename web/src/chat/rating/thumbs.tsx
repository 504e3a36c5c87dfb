import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import type { Message, Rating } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { useChatSession } from '../chat-session-context.tsx';
import { rateMessage } from './rate-message.ts';
import classes from './thumbs.module.css';

/** Whether an answer can be rated: it is one, and not only a failure. */
export function isRatable({ isCreatedByUser, reason, unfinished }: Message): boolean {
  return !isCreatedByUser && reason === null && !unfinished;
}

/** What one thinks of an answer. A narrow screen shows a thumb once it is set; it is set in the menu there. */
export function Thumbs({ message, className }: { message: Message; className: string | undefined }) {
  const { t } = useTranslation();
  const { cache } = useChatSession();
  const thumb = (rating: Rating) => ({
    className: `${className ?? ''} ${classes.thumb}`,
    'aria-pressed': message.rating === rating,
    onClick: () => void rateMessage(cache, message, rating),
  });
  return (
    <>
      <IconButton label={t('com_chat_good_answer')} {...thumb(1)}>
        <IconThumbUp aria-hidden />
      </IconButton>
      <IconButton label={t('com_chat_bad_answer')} {...thumb(-1)}>
        <IconThumbDown aria-hidden />
      </IconButton>
    </>
  );
}
