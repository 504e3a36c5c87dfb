import { textOf, type Message } from '@parley/schema/messages';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Ending } from '../chat/message/ending.tsx';
import { PartView } from '../chat/message/part-view.tsx';
import { preloadMarkdown } from '../content/lazy-markdown.tsx';
import { EndpointMark } from '../endpoints/marks.tsx';
import { takePicture } from './picture.ts';
import classes from './sheet.module.css';
import type { Transcript } from './transcript.ts';
import { whenStill } from './when-still.ts';

interface SheetProps {
  transcript: Transcript;
  /** Null when it is too long for one picture. */
  onDrawn: (picture: Blob | null) => void;
  onFailed: (error: unknown) => void;
}

/** The whole branch on screen, drawn out of sight, where a picture is taken of it once everything is in its place. */
export function Sheet({ transcript, onDrawn, onFailed }: SheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const gone = new AbortController();
    photograph(sheet.current, gone.signal).then(
      (picture) => !gone.signal.aborted && onDrawn(picture),
      (error: unknown) => !gone.signal.aborted && onFailed(error),
    );
    return () => gone.abort();
  }, [onDrawn, onFailed]);

  return createPortal(
    <div className={classes.place} inert aria-hidden>
      <div ref={sheet} className={classes.sheet}>
        <h1 dir="auto">{transcript.title}</h1>
        {transcript.path.map((message) =>
          message.isCreatedByUser ? (
            <p key={message.messageId} className={classes.question} dir="auto">
              {textOf(message)}
            </p>
          ) : (
            <Answer key={message.messageId} message={message} />
          ),
        )}
      </div>
    </div>,
    document.body,
  );
}

async function photograph(element: HTMLElement | null, signal: AbortSignal): Promise<Blob | null> {
  if (!element) throw new Error('There is nothing to take a picture of');
  await preloadMarkdown();
  await whenStill(element, signal);
  return takePicture(element);
}

function Answer({ message }: { message: Message }) {
  return (
    <article className={classes.answer}>
      <div className={classes.who}>
        <EndpointMark {...message} size="small" isDrawn />
        <b>{message.sender}</b>
        {message.model && <span>{message.model}</span>}
      </div>
      {message.parts.map((part, index) => (
        <PartView key={index} part={part} isOpen={false} isWriting={false} />
      ))}
      <Ending message={message} onRetry={undefined} />
    </article>
  );
}
