import type { ThreadNode } from '@parley/schema/messages/thread';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTargetMessage } from '../chat/thread/sought-message.ts';
import type { Chat } from '../chat/use-chat.ts';
import { Button } from '../ui/button.tsx';
import type { EditQuestion } from './column-message.tsx';
import { ColumnRows } from './column-rows.tsx';
import classes from './columns.module.css';

interface SharedMessagesProps {
  chat: Chat;
  nodes: readonly ThreadNode[];
  onEdit: EditQuestion;
}

/** The newest of what all columns have in common, once; all of it on request, or when a link leads there. */
export function SharedMessages({ chat, nodes, onEdit }: SharedMessagesProps) {
  const { t } = useTranslation();
  const [areAll, setAll] = useState(false);
  const linked = useTargetMessage();
  const path = useMemo(() => (areAll ? nodes : nodes.slice(-1)), [areAll, nodes]);
  if (!areAll && nodes.some(({ messageId }, at) => messageId === linked && at < nodes.length - 1)) setAll(true);
  if (nodes.length === 0) return null;
  return (
    <div className={classes.shared}>
      {nodes.length > path.length && (
        <Button size="sm" variant="subtle" onClick={() => setAll(true)}>
          {t('com_compare_earlier')}
        </Button>
      )}
      <ColumnRows
        {...{ chat, path, onEdit }}
        place="shared"
        name={t('com_chat_thread')}
        className={classes.sharedRows}
        count={1}
      />
    </div>
  );
}
