import { IconArrowDown } from '@tabler/icons-react';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { listSiblings } from '@parley/schema/messages/tree';
import { Fragment, useLayoutEffect, useRef, useState, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ThreadImagesProvider } from '../attachments/thread-images.tsx';
import { ContextCutoff } from '../context/context-cutoff.tsx';
import { MessageView } from '../message/message-view.tsx';
import { useChatSession } from '../chat-session-context.tsx';
import { QuoteOffer } from '../quote/quote-offer.tsx';
import { rowKey } from '../scroll/row-key.ts';
import classes from './thread.module.css';
import { ThreadArtifacts } from './thread-artifacts.tsx';
import { useLoadBodies } from './use-load-bodies.ts';
import { useKeepFocus } from './use-keep-focus.ts';
import type { Chat } from '../use-chat.ts';
import { useMarkLinkedMessage } from './use-mark-linked-message.ts';
import { useRows } from '../scroll/use-rows.ts';
import { useStopKey } from './use-stop-key.ts';
import { composerId } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';

/**
 * The messages of the branch on screen. One instance per conversation: it opens at the stored scroll position, else at
 * the end.
 */
export function Thread({ chat }: { chat: Chat }) {
  return (
    <ThreadImagesProvider chat={chat}>
      <ThreadArtifacts chat={chat}>
        <Rows chat={chat} />
      </ThreadArtifacts>
    </ThreadImagesProvider>
  );
}

function Rows({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { path, slot } = chat;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const rows = useRows(slot.conversationId, path, { scroller, content });
  useLoadBodies(slot.conversationId, chat, rows.range);
  const askedReply = useAskedReply(chat, rows.toEnd);
  const mark = useMarkLinkedMessage(chat, rows);
  useKeepFocus(scroller, chat.generationId !== null);
  useStopKey(chat);
  useRecallKey();
  const seen = chat.findMessage(path.at(-1)?.messageId ?? '')?.context;

  /** The button hides at the end; the focus must not be lost with it. */
  function leaveForEnd(): void {
    scroller.current?.focus({ preventScroll: true });
    rows.toEnd('smooth');
  }

  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        className={classes.scroller}
        role="log"
        aria-live="off"
        aria-label={t('com_chat_thread')}
        // A scroll container must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
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
                  {seen && seen.omitted > 0 && seen.oldestId === node.messageId && <ContextCutoff context={seen} />}
                  {isHere ? <Row chat={chat} node={node} /> : <Pending node={node} height={rows.heightOf(index)} />}
                </div>
              </Fragment>
            );
          })}
          <div style={{ blockSize: rows.rest }} />
        </div>
      </div>
      <QuoteOffer thread={scroller} />
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
    </div>
  );
}

function Row({ chat, node }: { chat: Chat; node: ThreadNode }) {
  const message = chat.findMessage(node.messageId);
  if (!message) return null;
  const siblings = listSiblings(chat.tree, node);
  return (
    <MessageView
      message={message}
      exchange={chat.exchangeOf.get(node.messageId)}
      isWriting={chat.generationId !== null && message.generationId === chat.generationId}
      isLatest={node === chat.path.at(-1)}
      hasQuestion={chat.tree.byId.get(node.parentMessageId ?? '')?.isCreatedByUser === true}
      isBusy={chat.generationId !== null}
      siblingIndex={siblings.indexOf(node)}
      siblingCount={siblings.length}
      actions={chat.actions}
    />
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

/**
 * The last reply that this page asked for. The user wants to see it: its question scrolls to the top of the viewport,
 * and the reply has the space below. A reply asked for elsewhere does not scroll.
 */
function useAskedReply({ running }: Chat, toEnd: (behavior: ScrollBehavior) => void): string | null {
  const { exchanges } = useChatSession();
  const [asked, setAsked] = useState<string | null>(null);
  const generationId = running?.generationId;
  const replyId = running?.reply.messageId ?? null;
  useLayoutEffect(() => {
    if (generationId && exchanges.findPendingAsk(generationId)) setAsked(replyId);
    // Only a new exchange scrolls the thread.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [generationId]);
  useLayoutEffect(() => {
    if (asked) toEnd('instant');
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked, generationId]);
  return asked;
}

/** ArrowUp in an empty message box edits the last question. */
function useRecallKey(): void {
  const index = useSlotIndex();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { target } = event;
      const isPlain = !event.isComposing && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== 'ArrowUp' || !isPlain || !(target instanceof HTMLTextAreaElement)) return;
      if (target.id !== composerId(index) || target.value !== '') return;
      const edits = document.querySelectorAll<HTMLElement>('[role=log] [data-own] [data-action=edit]');
      const last = edits[edits.length - 1];
      if (!last) return;
      event.preventDefault();
      last.click();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [index]);
}
