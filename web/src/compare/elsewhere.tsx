import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyThread } from '../chat/thread/lazy-thread.tsx';
import { useTargetMessage } from '../chat/thread/sought-message.ts';
import type { Chat } from '../chat/use-chat.ts';
import { Button } from '../ui/button.tsx';
import type { ColumnPaths } from './column-paths.ts';
import classes from './columns.module.css';
import { useColumns } from './use-columns.ts';

/** A branch that stands in none of the columns, and the ways back to them or on with it. */
export function Elsewhere({ chat, onLeave }: { chat: Chat; onLeave: () => void }) {
  const { t } = useTranslation();
  const { end } = useColumns(chat);
  return (
    <>
      <div className={classes.elsewhere}>
        <p className={classes.note} role="status">
          {t('com_compare_elsewhere')}
        </p>
        <div className={classes.acts}>
          <Button size="sm" variant="subtle" onClick={onLeave}>
            {t('com_compare_side_by_side')}
          </Button>
          <Button size="sm" variant="subtle" disabled={chat.generationId !== null} onClick={() => void end()}>
            {t('com_compare_end')}
          </Button>
        </div>
      </div>
      <LazyThread chat={chat} />
    </>
  );
}

/**
 * Whether the branch of a linked message is shown that stands in none of the columns. They stay as they are, and the
 * next question goes to them: a link changes nothing that is stored. Until they are chosen again, get other answers, or
 * a link leads into them.
 */
export function useElsewhere({ tree }: Chat, { shared, columns }: ColumnPaths) {
  const linked = useTargetMessage();
  const [leftFor, setLeft] = useState<string | null>(null);
  const key = columns.map(({ reply }) => reply.messageId).join(' ');
  const isShown = leftFor === key;
  const isHere = [shared, ...columns.map(({ path }) => path)].some((path) =>
    path.some(({ messageId }) => messageId === linked),
  );
  if (linked && tree.byId.has(linked) && isHere === isShown) setLeft(isHere ? null : key);
  return { isShown, leave: () => setLeft(null) };
}
