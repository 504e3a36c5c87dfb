import type { MessagePart } from '@parley/schema/messages/messages';
import { isSourcesCall } from '@parley/schema/tools/web-sources';
import type { TFunction } from 'i18next';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { i18n } from '../../i18n.ts';
import { formatDuration } from '../answer-facts/format-duration.ts';
import type { WebSources } from '../../files/citations/web-sources.ts';
import { FileRow } from '../../files/message/file-row.tsx';
import { MessageImage } from '../../files/message/message-image.tsx';
import { PendingTile } from '../../files/message/pending-tile.tsx';
import classes from './message.module.css';
import { Quote } from './quote.tsx';
import { TextPart } from './text-part.tsx';
import { ToolCallView } from './tool-call.tsx';

/** Images of replies may be as wide as the column. */
const ANSWER_BOX = { width: 686, height: 560 };

interface PartViewProps {
  part: MessagePart;
  /** Unique among the parts on screen, and the same after a reload of the thread. */
  stepKey: string;
  /** The pages of the web that its marks may stand for. */
  sources: WebSources | null;
  /** This part may still grow. */
  isOpen: boolean;
  /** The message is in progress. */
  isWriting: boolean;
  /** For an image of the page: nothing is folded. */
  isDrawn?: boolean | undefined;
}

/** One part of a reply. Memoized: a finished part does not render again while the next one grows. */
export const PartView = memo(function PartView(props: PartViewProps) {
  const { part, stepKey, sources, isOpen, isWriting, isDrawn = false } = props;
  const { t } = useTranslation();
  switch (part.type) {
    case 'text':
      return <TextPart part={part} sources={sources} isOpen={isOpen} />;
    case 'reasoning':
      // Some providers sign their reasoning and show none.
      if (part.text === '') return null;
      return (
        <details className={classes.aside}>
          <summary>{isOpen && part.tookMs === undefined ? t('com_chat_thinking') : thought(part, t)}</summary>
          <div className={classes.plainText} dir="auto" data-said>
            {part.text}
          </div>
        </details>
      );
    case 'tool_call':
      // Its pages stand below the answer.
      if (isSourcesCall(part.call)) return null;
      return <ToolCallView stepKey={stepKey} call={part.call} isWriting={isWriting} isDrawn={isDrawn} />;
    case 'image':
      return <MessageImage image={part} box={ANSWER_BOX} />;
    case 'pending_picture':
      return <PendingTile picture={part} box={ANSWER_BOX} />;
    case 'file':
      return <FileRow file={part} />;
    case 'error':
      return (
        <div className={classes.failure}>
          <p>{t('com_error_unknown_plain')}</p>
          {part.text !== '' && <Quote text={part.text} />}
        </div>
      );
    default:
      return part satisfies never;
  }
});

/** Older messages do not know how long it took. */
function thought({ tookMs }: Extract<MessagePart, { type: 'reasoning' }>, t: TFunction): string {
  return tookMs === undefined
    ? t('com_chat_reasoning')
    : t('com_chat_thought_for', { 0: formatDuration(tookMs, i18n.language) });
}
