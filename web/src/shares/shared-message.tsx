import type { SharedMessage, SharedPart } from '@parley/schema/convos/shares';
import type { ImagePart } from '@parley/schema/messages/messages';
import { IconChevronLeft, IconChevronRight, IconFile, IconTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import { senderLabel } from '../catalog/sender-label.ts';
import { ArtifactAnswerContext } from '../content/artifacts/artifact-place.ts';
import { LazyMarkdown } from '../content/lazy-markdown.tsx';
import { EndpointIcon } from '../endpoints/endpoint-icons.tsx';
import { formatPosition } from '../lib/format-number.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { LongWords } from '../ui/long-words.tsx';
import { sharedAttachment, attachmentsOfShared } from './shared-files.ts';
import classes from './shared-screen.module.css';
import { GeneratedFiles } from '../chat/steps/generated-files.tsx';
import { MessageAttachments } from '../files/message/message-attachments.tsx';
import { ThreadImages } from '../files/message/message-image.tsx';

interface SharedMessageProps {
  /** Of the link. */
  shareId: string;
  /** All images on screen. */
  readImages: () => readonly ImagePart[];
  message: SharedMessage;
  /** Of the person who shares. */
  name: string | null;
  siblingIndex: number;
  siblingCount: number;
  onShowSibling: (step: number) => void;
}

/** A message of a shared conversation. */
export function SharedMessageView({ shareId, readImages, message, name, ...siblings }: SharedMessageProps) {
  const { t } = useTranslation();
  const place = { shareId, readImages: readImages };
  if (message.isCreatedByUser) {
    const attached = message.parts.filter((part) => sharedAttachment(shareId, part) !== null);
    const said = message.parts.filter((part) => sharedAttachment(shareId, part) === null);
    return (
      <article className={classes.user}>
        <h2 className={classes.sender}>{name ?? t('com_share_person')}</h2>
        {attached.length > 0 && <SharedAttachments {...place} parts={attached} isQuestion />}
        {said.some((part) => part.type !== 'text' || part.text !== '') && (
          <div className={classes.bubble}>
            <Parts {...place} parts={said} isPlain />
          </div>
        )}
        <Siblings {...siblings} />
      </article>
    );
  }
  const { endpointType, endpoint, model } = message;
  return (
    <article className={classes.reply}>
      <EndpointIcon endpointType={endpointType} endpoint={endpoint} model={model} isDrawn />
      <div className="stack">
        <h2 className={classes.sender}>
          {senderLabel(message) || endpointLabel(endpoint)} {model && <span>{model}</span>}
        </h2>
        <ArtifactAnswerContext value={message}>
          <Parts {...place} parts={message.parts} />
        </ArtifactAnswerContext>
        <Siblings {...siblings} />
      </div>
    </article>
  );
}

interface PartsProps extends Pick<SharedMessageProps, 'shareId' | 'readImages'> {
  parts: readonly SharedPart[];
  isPlain?: boolean;
}

function Parts({ parts, ...place }: PartsProps) {
  const numbered = parts.map((part, number) => ({ part, number }));
  return numbered.map(({ part, number }) => <Part key={number} part={part} {...place} />);
}

function Part({ part, isPlain = false, ...place }: Omit<PartsProps, 'parts'> & { part: SharedPart }) {
  const { t } = useTranslation();
  if (sharedAttachment(place.shareId, part)) return <SharedAttachments {...place} parts={[part]} isQuestion={false} />;
  switch (part.type) {
    case 'text':
      return isPlain ? (
        <div className={classes.plain} dir="auto">
          <LongWords text={part.text} />
        </div>
      ) : (
        <LazyMarkdown text={part.text} streaming={false} />
      );
    case 'reasoning':
      return (
        <details className={classes.aside}>
          <summary>{t('com_chat_reasoning')}</summary>
          <div className={classes.plain} dir="auto">
            {part.text}
          </div>
        </details>
      );
    case 'tool':
      return (
        <p className="hint flex-row">
          <IconTool aria-hidden />
          {t('com_share_tool', { 0: part.label })}
        </p>
      );
    case 'file':
      return (
        <p className="hint flex-row">
          <IconFile aria-hidden />
          {part.name}
        </p>
      );
    default:
      return part satisfies never;
  }
}

function Siblings({
  siblingIndex,
  siblingCount,
  onShowSibling,
}: Pick<SharedMessageProps, 'siblingIndex' | 'siblingCount' | 'onShowSibling'>) {
  const { t, i18n } = useTranslation();
  if (siblingCount < 2) return null;
  return (
    <div className={classes.siblings}>
      <IconButton
        label={t('com_share_previous')}
        disabled={siblingIndex === 0}
        onClick={() => onShowSibling(-1)}
        data-flips
      >
        <IconChevronLeft aria-hidden />
      </IconButton>
      <span>{formatPosition(siblingIndex + 1, siblingCount, i18n.language)}</span>
      <IconButton
        label={t('com_share_next')}
        disabled={siblingIndex === siblingCount - 1}
        onClick={() => onShowSibling(1)}
        data-flips
      >
        <IconChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}

interface SharedAttachmentsProps {
  shareId: string;
  parts: readonly SharedPart[];
  /** Of a question, above its text; else of an answer. */
  isQuestion: boolean;
  /** All images on screen: the large view steps through them. */
  readImages: () => readonly ImagePart[];
}

/** The images and files among parts of a shared message. */
function SharedAttachments({ shareId, parts, isQuestion, readImages }: SharedAttachmentsProps) {
  const attached = attachmentsOfShared(shareId, parts);
  return (
    <ThreadImages value={readImages}>
      {isQuestion ? (
        <MessageAttachments message={{ parts: attached }} />
      ) : (
        <GeneratedFiles calls={[{ outputs: attached }]} />
      )}
    </ThreadImages>
  );
}
