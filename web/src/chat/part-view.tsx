import type { MessagePart, ToolCall } from '@parley/schema/messages';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { LazyMarkdown } from '../content/lazy-markdown.tsx';
import { describeReason } from '../lib/describe-reason.ts';
import classes from './message.module.css';

interface PartViewProps {
  part: MessagePart;
  /** More of it is coming. */
  isOpen: boolean;
}

/** One piece of a reply. A finished piece is not drawn again while the next one grows. */
export const PartView = memo(function PartView({ part, isOpen }: PartViewProps) {
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
      return <ToolCallView call={part.call} />;
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

function ToolCallView({ call }: { call: ToolCall }) {
  const { t } = useTranslation();
  return (
    <details className={classes.aside}>
      <summary>{toolSentence(call, t)}</summary>
      <ToolText label={t('com_chat_tool_input')} text={call.input} />
      <ToolText label={t('com_chat_tool_output')} text={call.output ?? ''} />
    </details>
  );
}

function ToolText({ label, text }: { label: string; text: string }) {
  if (text === '') return null;
  return (
    <>
      <div className={classes.label}>{label}</div>
      <pre className={classes.pre}>{text}</pre>
    </>
  );
}

function toolSentence({ kind, name, output, progress }: ToolCall, t: TFunction): string {
  const isFinished = progress >= 1;
  if (output?.includes('error processing tool')) return t('com_chat_tool_failed', { 0: name });
  switch (kind) {
    case 'retrieval':
      return isFinished ? t('com_assistants_retrieval_used') : t('com_assistants_retrieval_searching');
    case 'code_interpreter':
      return isFinished ? t('com_assistants_code_finished') : t('com_assistants_code_analyzing');
    case 'function':
      return isFinished ? t('com_chat_tool_called', { 0: name }) : t('com_chat_tool_calling', { 0: name });
    default:
      return kind satisfies never;
  }
}
