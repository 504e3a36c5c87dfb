import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { preloadMarkdown } from '../content/lazy-markdown.tsx';
import { siblingsOf } from '@parley/schema/tree';
import { MessageView } from './message-view.tsx';
import { useRoom } from './room-context.tsx';
import { createStick, type Stick } from './stick.ts';
import classes from './thread.module.css';
import { useEarlier } from './use-earlier.ts';
import type { Chat } from './use-chat.ts';

/** The messages of the branch on screen. One per conversation: it opens at the newest message. */
export function Thread({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { toEnd, isAway } = useStick(scroller, content);
  const { shown, hasEarlier, showEarlier } = useEarlier(chat.path, scroller);
  useToEndOnSend(chat, toEnd);
  useEffect(() => void preloadMarkdown(), []);

  const last = chat.path.at(-1);
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
        <div ref={content} className={classes.column}>
          {hasEarlier && (
            <button type="button" className={classes.earlier} onClick={showEarlier}>
              {t('com_chat_earlier')}
            </button>
          )}
          {shown.map((message) => {
            const siblings = siblingsOf(chat.tree, message);
            const exchange = chat.exchangeOf.get(message.messageId);
            return (
              <MessageView
                // Siblings take each other's place, and the focus on their arrows stays.
                key={message.parentMessageId ?? 'root'}
                message={message}
                exchange={exchange}
                isWriting={chat.generationId !== null && message.generationId === chat.generationId}
                isLatest={message === last}
                isBusy={chat.generationId !== null}
                place={siblings.indexOf(message)}
                total={siblings.length}
                actions={chat.actions}
              />
            );
          })}
        </div>
      </div>
      <button
        type="button"
        className={classes.toEnd}
        data-shown={isAway || undefined}
        aria-label={t('com_ui_scroll_to_bottom')}
        title={t('com_ui_scroll_to_bottom')}
        onClick={() => toEnd('smooth')}
      >
        <IconArrowDown aria-hidden />
      </button>
    </div>
  );
}

function useStick(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const stick = useRef<Stick>(null);
  const [isAway, setAway] = useState(false);
  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return;
    const watching = createStick(scroller.current, content.current, setAway);
    stick.current = watching;
    return watching.end;
  }, [scroller, content]);
  const toEnd = (behavior: ScrollBehavior) => {
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    stick.current?.toEnd(isCalm ? 'instant' : behavior);
  };
  return { toEnd, isAway };
}

/** Whoever asks wants to see the answer. An answer that was asked for elsewhere moves nobody. */
function useToEndOnSend({ running }: Chat, toEnd: (behavior: ScrollBehavior) => void): void {
  const { exchanges } = useRoom();
  const generationId = running?.generationId;
  useLayoutEffect(() => {
    if (generationId && exchanges.findAsking(generationId)) toEnd('instant');
    // Only a new exchange moves the thread.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [generationId]);
}
