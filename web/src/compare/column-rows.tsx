import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useRows } from '../chat/scroll/use-rows.ts';
import { RowList } from '../chat/thread/row-list.tsx';
import { useLoadBodies } from '../chat/thread/use-load-bodies.ts';
import type { Chat } from '../chat/use-chat.ts';
import { ColumnMessage, type EditQuestion } from './column-message.tsx';
import type { ColumnPath } from './column-paths.ts';
import classes from './columns.module.css';

interface ColumnRowsProps {
  chat: Chat;
  one: ColumnPath;
  name: string;
  /** How many columns there are. */
  count: number;
  onEdit: EditQuestion;
  /** The newest answer. */
  children: ReactNode;
}

/** The messages of a column, which scroll by themselves: at the end what is written is followed, elsewhere not. */
export function ColumnRows({ chat, one, name, count, onEdit, children }: ColumnRowsProps) {
  const { findMessage, slot } = chat;
  const { path, place, reply } = one;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const rows = useRows(`${slot.conversationId} ${place}`, path, { scroller, content, beside: count });
  useLoadBodies(slot.conversationId, { path, findMessage }, rows.range);
  const seen = useRef(reply.messageId);
  useLayoutEffect(() => {
    if (seen.current === reply.messageId) return;
    seen.current = reply.messageId;
    rows.toEnd('instant');
    // Only another answer scrolls the column.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [reply.messageId]);

  return (
    <div className={classes.body}>
      <RowList {...{ path, findMessage, rows, scroller, content }} label={name} classNames={CLASS_NAMES}>
        {(node, pending) => pending ?? (node === reply ? children : <ColumnMessage {...{ chat, node, onEdit }} />)}
      </RowList>
    </div>
  );
}

const CLASS_NAMES = { scroller: classes.scroller, content: undefined };
