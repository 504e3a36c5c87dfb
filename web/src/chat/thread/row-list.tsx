import { IconArrowDown } from '@tabler/icons-react';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { Fragment, type HTMLAttributes, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../scroll/row-key.ts';
import type { Rows } from '../scroll/use-rows.ts';
import type { Chat } from '../use-chat.ts';
import classes from './thread.module.css';
import { ScrollRegion } from '../../ui/primitives/scroll-region.tsx';

interface RowListProps extends Pick<Chat, 'path' | 'findMessage'> {
  rows: Rows;
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The name of the list. */
  label: string;
  /** Of the scroll container, and of what is in it. */
  classNames: Record<'scroller' | 'content', string | undefined>;
  attributesOf?: (node: ThreadNode) => HTMLAttributes<HTMLDivElement>;
  /** Draws a row; `pending` stands in for a message that is not loaded. */
  children: (node: ThreadNode, pending: ReactNode) => ReactNode;
}

/** The rows of a thread in or near the view, and the button to its end. Its parent is positioned. */
export function RowList({ path, findMessage, rows, label, attributesOf, children, ...frame }: RowListProps) {
  const { t } = useTranslation();
  const { scroller, content, classNames } = frame;

  /** The button hides at the end; the focus must not be lost with it. */
  function leaveForEnd(): void {
    scroller.current?.focus({ preventScroll: true });
    rows.toEnd('smooth');
  }

  return (
    <>
      <ScrollRegion ref={scroller} className={classNames.scroller} role="log" aria-live="off" aria-label={label}>
        <div ref={content} className={classNames.content} onFocus={rows.onFocus} onBlur={rows.onBlur}>
          {rows.drawn.map(({ index, space }) => {
            const node = path[index];
            if (!node) return null;
            const isHere = findMessage(node.messageId) !== undefined;
            return (
              <Fragment key={rowKey(node)}>
                {space > 0 && <div style={{ blockSize: space }} />}
                <div
                  ref={rows.watch}
                  className={classes.row}
                  data-row={isHere ? 'here' : 'pending'}
                  data-key={rowKey(node)}
                  data-message={node.messageId}
                  data-index={index}
                  {...attributesOf?.(node)}
                >
                  {children(node, isHere ? null : <Pending node={node} height={rows.heightOf(index)} />)}
                </div>
              </Fragment>
            );
          })}
          <div style={{ blockSize: rows.rest }} />
        </div>
      </ScrollRegion>
      <button
        type="button"
        className={classes.toEnd}
        data-shown={rows.isAway || undefined}
        aria-label={t('com_ui_scroll_to_bottom')}
        data-tooltip={t('com_ui_scroll_to_bottom')}
        onClick={leaveForEnd}
      >
        <IconArrowDown aria-hidden />
      </button>
    </>
  );
}

/** A placeholder of about the message's height. */
function Pending({ node, height }: { node: ThreadNode; height: number }) {
  return (
    <div
      className={classes.pending}
      data-user={node.isCreatedByUser || undefined}
      style={{ blockSize: height }}
      aria-hidden
    >
      <div />
    </div>
  );
}
