import './lazy-words.ts';
import { IconArrowDown } from '@tabler/icons-react';
import type { ThreadNode } from '@parley/schema/thread';
import { siblingsOf } from '@parley/schema/tree';
import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Seam } from '../../context/seam.tsx';
import { MessageView } from '../message/message-view.tsx';
import { useRoom } from '../room-context.tsx';
import { rowKey } from './row-key.ts';
import classes from './thread.module.css';
import { useBodies } from './use-bodies.ts';
import { useFocusKept } from './use-focus-kept.ts';
import type { Chat } from '../use-chat.ts';
import { useMark } from './use-mark.ts';
import { useRows } from './use-rows.ts';
import { useStopKey } from './use-stop-key.ts';

/** The messages of the branch on screen. One per conversation: it opens where its reader left it, else at its end. */
export function Thread({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { path, slot } = chat;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const rows = useRows(slot.conversationId, path, { scroller, content });
  useBodies(slot.conversationId, chat, rows.range);
  const askedReply = useAskedReply(chat, rows.toEnd);
  const mark = useMark(chat, rows);
  useFocusKept(scroller, chat.generationId !== null);
  useStopKey(chat);
  const seen = chat.findMessage(path.at(-1)?.messageId ?? '')?.context;

  /** Once there the button goes away, and the focus must not go with it. */
  function leaveForEnd(): void {
    scroller.current?.focus({ preventScroll: true });
    rows.toEnd('smooth');
  }

  return (
    <div className={classes.frame}>
      {/* A region that scrolls has to be reachable by key. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div
        ref={scroller}
        className={classes.scroller}
        role="log"
        aria-live="off"
        aria-label={t('com_chat_thread')}
        tabIndex={0}
      >
        <div ref={content} className={classes.column} onFocus={rows.onFocus} onBlur={rows.onBlur}>
          {rows.drawn.map(({ index, space }) => {
            const node = path[index];
            if (!node) return null;
            const isHere = chat.findMessage(node.messageId) !== undefined;
            return (
              <Fragment key={rowKey(node)}>
                {space > 0 && <div style={{ blockSize: space }} />}
                <div
                  ref={rows.watch}
                  className={classes.row}
                  data-row={isHere ? 'here' : 'pending'}
                  data-key={rowKey(node)}
                  data-index={index}
                  data-asked={node.messageId === askedReply || undefined}
                  {...mark.of(node)}
                >
                  {seen && seen.omitted > 0 && seen.oldestId === node.messageId && <Seam context={seen} />}
                  {isHere ? <Row chat={chat} node={node} /> : <Pending node={node} height={rows.heightOf(index)} />}
                </div>
              </Fragment>
            );
          })}
          <div style={{ blockSize: rows.rest }} />
        </div>
      </div>
      <button
        type="button"
        className={classes.toEnd}
        data-shown={rows.isAway || undefined}
        aria-label={t('com_ui_scroll_to_bottom')}
        title={t('com_ui_scroll_to_bottom')}
        onClick={leaveForEnd}
      >
        <IconArrowDown aria-hidden />
      </button>
    </div>
  );
}

function Row({ chat, node }: { chat: Chat; node: ThreadNode }) {
  const message = chat.findMessage(node.messageId);
  if (!message) return null;
  const siblings = siblingsOf(chat.tree, node);
  return (
    <MessageView
      message={message}
      exchange={chat.exchangeOf.get(node.messageId)}
      isWriting={chat.generationId !== null && message.generationId === chat.generationId}
      isLatest={node === chat.path.at(-1)}
      hasQuestion={chat.tree.byId.get(node.parentMessageId ?? '')?.isCreatedByUser === true}
      isBusy={chat.generationId !== null}
      place={siblings.indexOf(node)}
      total={siblings.length}
      actions={chat.actions}
    />
  );
}

/** Where a message will be, about as high. */
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

/**
 * The reply that this page asked for last. Whoever asks wants to see the answer: the question goes to the top of the
 * view, and its answer has the room below it. An answer that was asked for elsewhere moves nobody.
 */
function useAskedReply({ running }: Chat, toEnd: (behavior: ScrollBehavior) => void): string | null {
  const { exchanges } = useRoom();
  const [asked, setAsked] = useState<string | null>(null);
  const generationId = running?.generationId;
  const replyId = running?.reply.messageId ?? null;
  useLayoutEffect(() => {
    if (generationId && exchanges.findAsking(generationId)) setAsked(replyId);
    // Only a new exchange moves the thread.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [generationId]);
  useLayoutEffect(() => {
    if (asked) toEnd('instant');
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked, generationId]);
  return asked;
}
