import type { MessagePart } from '@parley/schema/messages';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyMarkdown } from '../../content/lazy-markdown.tsx';
import { describeReason } from '../../lib/describe-reason.ts';
import classes from './message.module.css';
import { ToolCallView } from './tool-call.tsx';

interface PartViewProps {
  part: MessagePart;
  /** More of it is coming. */
  isOpen: boolean;
  /** More of the message is coming. */
  isWriting: boolean;
}

/** One piece of a reply. A finished piece is not drawn again while the next one grows. */
export const PartView = memo(function PartView({ part, isOpen, isWriting }: PartViewProps) {
  const { t } = useTranslation();
  switch (part.type) {
    case 'text':
      return <LazyMarkdown text={part.text} streaming={isOpen} />;
    case 'reasoning':
      return (
        <details className={classes.aside}>
          <summary>{isOpen ? t('com_chat_thinking') : t('com_chat_reasoning')}</summary>
          <div className={classes.plain} dir="auto">
            {part.text}
          </div>
        </details>
      );
    case 'tool_call':
      return <ToolCallView call={part.call} isWriting={isWriting} />;
    case 'image':
      return (
        <img
          className={classes.image}
          src={part.path}
          width={part.width}
          height={part.height}
          alt={t('com_chat_image')}
          loading="lazy"
        />
      );
    case 'error':
      return (
        <div className={classes.failure}>
          <p>{describeReason({ type: 'unknown', text: part.text }, t)}</p>
        </div>
      );
    default:
      return part satisfies never;
  }
});
