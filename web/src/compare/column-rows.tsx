import type { ThreadNode } from '@parley/schema/messages/thread';
import { useEffectEvent, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useRows } from '../chat/scroll/use-rows.ts';
import { RowList } from '../chat/thread/row-list.tsx';
import { useLoadBodies } from '../chat/thread/use-load-bodies.ts';
import { useMarkLinkedMessage } from '../chat/thread/use-mark-linked-message.ts';
import type { Chat } from '../chat/use-chat.ts';
import { ColumnMessage, type EditQuestion } from './column-message.tsx';
import classes from './columns.module.css';

interface ColumnRowsProps {
  chat: Chat;
  path: readonly ThreadNode[];
  /** Of the column, or what all of them have in common: its scroll position is remembered by it. */
  place: number | 'shared';
  name: string;
  className: string | undefined;
  /** How many columns there are; 1 for what is as wide as all of them. */
  count: number;
  onEdit: EditQuestion;
  /** The newest message, where more can be done with it. */
  children?: ReactNode;
}

/** Messages that scroll by themselves: at the end what is written is followed, elsewhere not. */
export function ColumnRows({ chat, path, place, name, className, count, onEdit, children }: ColumnRowsProps) {
  const { findMessage, slot } = chat;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const rows = useRows(`${slot.conversationId} ${place}`, path, { scroller, content, beside: count });
  useLoadBodies(slot.conversationId, { path, findMessage }, rows.range);
  const newest = path.at(-1)?.messageId;
  const seen = useRef(newest);
  const followNewest = useEffectEvent(() => {
    if (seen.current !== newest) rows.toEnd('instant');
    seen.current = newest;
  });
  useLayoutEffect(() => followNewest(), [newest]);
  const mark = useMarkLinkedMessage(path, (index) => {
    // Where there is room for one column, this one comes on screen.
    scroller.current?.closest('section')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    rows.toRow(index);
  });

  return (
    <div className={className}>
      <RowList
        {...{ path, findMessage, rows, scroller, content }}
        label={name}
        classNames={CLASS_NAMES}
        attributesOf={mark.of}
      >
        {(node, pending) =>
          pending ??
          (children !== undefined && node.messageId === newest ? (
            children
          ) : (
            <ColumnMessage {...{ chat, node, onEdit }} />
          ))
        }
      </RowList>
    </div>
  );
}

const CLASS_NAMES = { scroller: classes.scroller, content: undefined };
