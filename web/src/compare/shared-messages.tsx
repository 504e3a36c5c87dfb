import type { ThreadNode } from '@parley/schema/messages/thread';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import { Button } from '../ui/button.tsx';
import { ColumnMessage } from './column-message.tsx';
import classes from './columns.module.css';

/** The newest of what all columns have in common, once; earlier messages on request. */
const FIRST_SHOWN = 1;
const MORE_SHOWN = 20;

export function SharedMessages({ chat, nodes }: { chat: Chat; nodes: readonly ThreadNode[] }) {
  const { t } = useTranslation();
  const [count, setCount] = useState(FIRST_SHOWN);
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The question is nearest to its answers.
    scroller.current?.scrollTo(0, scroller.current.scrollHeight);
  }, [nodes]);
  if (nodes.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} className={classes.shared} role="group" aria-label={t('com_chat_thread')} tabIndex={0}>
      {nodes.length > count && (
        <Button size="sm" variant="subtle" onClick={() => setCount(count + MORE_SHOWN)}>
          {t('com_compare_earlier')}
        </Button>
      )}
      {nodes.slice(-count).map((node) => (
        <ColumnMessage key={node.messageId} chat={chat} node={node} />
      ))}
    </div>
  );
}
