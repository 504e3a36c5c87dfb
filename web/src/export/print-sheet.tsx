// The whole branch on screen, drawn for the printer: the thread itself has only the rows near the view.
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { memo, startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { senderLabel } from '../catalog/sender-label.ts';
import { FinishNotice } from '../chat/message/finish-notice.tsx';
import { Parts } from '../chat/message/parts.tsx';
import type { Chat } from '../chat/use-chat.ts';
import { PrintContext } from '../content/static-context.ts';
import { preloadMarkdown } from '../content/lazy-markdown.tsx';
import { ErrorText } from '../errors/error-text.tsx';
import { Sources } from '../files/citations/sources.tsx';
import { MessageAttachments } from '../files/message/message-attachments.tsx';
import { formatDateTime } from '../lib/format-date.ts';
import { api } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';
import classes from './print-sheet.module.css';
import { untilStable } from './until-stable.ts';

/** Shows the sheet while it is prepared, prints it once it is complete, and goes when it is printed. */
export function PrintSheet({ chat, title, onClose }: { chat: Chat; title: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { messages, error } = useBranch(chat);
  const drawn = useGrowing(messages?.length ?? 0);
  const sheet = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const isWhole = messages !== null && drawn >= messages.length;
  useLight();
  usePrint(sheet, isWhole, onClose);
  useEffect(() => cancel.current?.focus(), []);
  useEventListener('afterprint', onClose, { target: window });
  useEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    },
    { target: window, capture: true },
  );

  return createPortal(
    <div className={classes.frame} data-print-sheet role="dialog" aria-modal aria-label={t('com_print')}>
      <div className={classes.bar}>
        <p role="status">{error === null ? t('com_print_preparing') : <ErrorText error={error} />}</p>
        <Button ref={cancel} size="sm" onClick={onClose}>
          {t('com_ui_cancel')}
        </Button>
      </div>
      <PrintContext value>
        <div ref={sheet} className={classes.sheet} data-testid="print-sheet">
          <h1 dir="auto">{title}</h1>
          {messages?.slice(0, drawn).map((message) => (
            <PrintedMessage key={message.messageId} message={message} />
          ))}
        </div>
      </PrintContext>
    </div>,
    document.body,
  );
}

/** Memoized: all of them are there while the next ones come. */
const PrintedMessage = memo(function Printed({ message }: { message: Message }) {
  const { t, i18n } = useTranslation();
  const { isCreatedByUser, model, createdAt } = message;
  const text = isCreatedByUser ? readableText(message) : '';
  return (
    <article className={classes.message} data-user={isCreatedByUser || undefined}>
      <p className={classes.sender}>
        <b>{isCreatedByUser ? t('com_chat_you') : senderLabel(message)}</b>
        {!isCreatedByUser && model && ` · ${model}`}
        {` · ${formatDateTime(createdAt, i18n.language)}`}
      </p>
      {isCreatedByUser ? (
        <>
          <MessageAttachments message={message} />
          {text !== '' && (
            <p className={classes.question} dir="auto">
              {text}
            </p>
          )}
        </>
      ) : (
        <>
          <Parts message={message} isWriting={false} isDrawn />
          <Sources message={message} />
          <FinishNotice message={message} onRetry={undefined} />
        </>
      )}
    </article>
  );
});

/** Messages in one request, as many as the server takes. */
const READ_AT_ONCE = 100;

/** All messages of the branch, whether or not they have been on screen. */
function useBranch({ slot: { conversationId }, path, findMessage }: Chat) {
  const [messages, setMessages] = useState<Message[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const readAll = useEffectEvent(async (signal: AbortSignal) => {
    const known = new Map(
      path.flatMap(({ messageId }) => {
        const message = findMessage(messageId);
        return message ? [[messageId, message] as const] : [];
      }),
    );
    let missing = path.flatMap(({ messageId }) => (known.has(messageId) ? [] : [messageId]));
    while (missing.length > 0) {
      const messageIds = missing.slice(0, READ_AT_ONCE);
      const bodies = await api.messages.bodies.query({ conversationId, messageIds }, { signal });
      // What is gone by now is left out.
      if (bodies.length === 0) missing = missing.slice(READ_AT_ONCE);
      for (const body of bodies) known.set(body.messageId, body);
      missing = missing.filter((id) => !known.has(id));
    }
    await preloadMarkdown();
    if (!signal.aborted) setMessages(path.flatMap(({ messageId }) => known.get(messageId) ?? []));
  });
  const read = useEffectEvent((signal: AbortSignal) =>
    readAll(signal).catch((cause: unknown) => !signal.aborted && setError(cause)),
  );
  useEffect(() => {
    const leaving = new AbortController();
    // oxlint-disable-next-line react/set-state-in-effect -- it is set once the messages have been read
    void read(leaving.signal);
    return () => leaving.abort();
  }, []);
  return { messages, error };
}

/** Messages drawn in one step. */
const STEP = 4;

/** Counts up to a number in steps that yield to input. */
function useGrowing(count: number): number {
  const [drawn, setDrawn] = useState(0);
  const isBehind = drawn < count;
  useEffect(() => {
    if (!isBehind) return;
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn((before) => before + STEP)));
    return () => cancelAnimationFrame(frame);
  }, [isBehind, drawn]);
  return drawn;
}

/** Paper is white: the page is light until it is printed. */
function useLight(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset.mantineColorScheme;
    dataset.mantineColorScheme = 'light';
    return () => void (dataset.mantineColorScheme = before);
  }, []);
}

function usePrint(sheet: React.RefObject<HTMLElement | null>, isWhole: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isWhole) return;
    const leaving = new AbortController();
    void prepare(sheet.current, leaving.signal).then(
      () => !leaving.signal.aborted && window.print(),
      () => close(),
    );
    return () => leaving.abort();
  }, [sheet, isWhole]);
}

/** Frames in which diagrams have to be drawn. */
const DIAGRAM_FRAMES_MAX = 3_600;

async function prepare(element: HTMLElement | null, signal: AbortSignal): Promise<void> {
  if (!element) return;
  await untilStable(element, signal);
  const waiting = () =>
    element.querySelector(
      ':not([data-failed]) > iframe:not([data-drawn=true]), [data-markdown] [data-source][class*=pending]',
    );
  for (let left = DIAGRAM_FRAMES_MAX; left > 0 && waiting() && !signal.aborted; left--)
    await new Promise(requestAnimationFrame);
  await untilStable(element, signal);
}
