import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { useEffect, useRef, type Ref } from 'react';
import { createPortal } from 'react-dom';
import { FinishNotice } from '../chat/message/finish-notice.tsx';
import { Parts } from '../chat/message/parts.tsx';
import { StaticContext } from '../content/static-context.ts';
import { preloadMarkdown } from '../content/lazy-markdown.tsx';
import { EndpointIcon } from '../endpoints/endpoint-icons.tsx';
import { Sources } from '../files/citations/sources.tsx';
import { MessageAttachments } from '../files/message/message-attachments.tsx';
import { i18n } from '../i18n.ts';
import { elementOf, renderImage } from './element-image.ts';
import classes from './screenshot.module.css';
import type { Transcript } from './transcript.ts';
import { untilStable } from './until-stable.ts';

interface ScreenshotProps {
  transcript: Transcript;
  /** Null if it is too long for one image. */
  onDrawn: (image: Blob | null) => void;
  onFailed: (error: unknown) => void;
}

/** Renders the whole branch off screen, and takes an image of it once everything has loaded. */
export function Screenshot({ transcript, onDrawn, onFailed }: ScreenshotProps) {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const gone = new AbortController();
    renderWhenStable(sheet, gone.signal).then(
      (image) => !gone.signal.aborted && onDrawn(image),
      (error: unknown) => {
        if (gone.signal.aborted) return;
        console.error(error instanceof Error ? error.message : error);
        onFailed(error);
      },
    );
    return () => gone.abort();
  }, [onDrawn, onFailed]);

  return createPortal(
    <div className={classes.offscreen} inert aria-hidden>
      <StaticContext value>
        <div ref={sheet} className={classes.sheet}>
          <h1 dir="auto">{transcript.title}</h1>
          {transcript.path.map((message) =>
            message.isCreatedByUser ? (
              <div key={message.messageId} className={classes.questionRow}>
                <MessageAttachments message={message} />
                {readableText(message) !== '' && (
                  <p className={classes.question} dir="auto">
                    {readableText(message)}
                  </p>
                )}
              </div>
            ) : (
              <ScreenshotReply key={message.messageId} message={message} />
            ),
          )}
        </div>
      </StaticContext>
    </div>,
    document.body,
  );
}

async function renderWhenStable(ref: Ref<HTMLElement>, signal: AbortSignal): Promise<Blob | null> {
  const element = elementOf(ref, i18n.t);
  await preloadMarkdown();
  await untilStable(element, signal);
  return renderImage(element);
}

function ScreenshotReply({ message }: { message: Message }) {
  return (
    <article className="stack">
      <div className={classes.sender}>
        <EndpointIcon {...message} size="small" isDrawn />
        <b>{message.sender}</b>
        {message.model && <span>{message.model}</span>}
      </div>
      <Parts message={message} isWriting={false} isDrawn />
      <Sources message={message} />
      <FinishNotice message={message} onRetry={undefined} />
    </article>
  );
}
