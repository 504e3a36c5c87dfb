import '../../locales/load/tools.ts';
import { IconAlertTriangle, IconCode, IconPhoto, IconSearch, IconTool, type Icon } from '@tabler/icons-react';
import type { ToolCall } from '@parley/schema/messages/messages';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import classes from './tool-call.module.css';
import { Ring } from './ring.tsx';
import { readToolCall, type ToolCallState, type ToolKind } from './read-tool-call.ts';

const icons: Record<ToolKind, Icon> = {
  code: IconCode,
  retrieval: IconSearch,
  image: IconPhoto,
  function: IconTool,
};

interface ToolCallViewProps {
  call: ToolCall;
  /** The message is in progress: an unfinished call may still finish. */
  isWriting: boolean;
}

/** A tool call: its progress and, when expanded, its input and output. */
export function ToolCallView({ call, isWriting }: ToolCallViewProps) {
  const { t } = useTranslation();
  const { work, state, progress, input, output } = readToolCall(call, isWriting);
  const Sign = state === 'failed' ? IconAlertTriangle : icons[work];
  return (
    <details className={classes.call} data-state={state}>
      <summary className={classes.summary}>
        <span className={classes.sign}>
          <Sign aria-hidden />
          {state === 'working' && <Ring progress={progress} />}
        </span>
        {sentenceOf(work, state, call.name, t)}
      </summary>
      <ToolText label={t('com_chat_tool_input')} text={input} />
      <ToolText label={t('com_chat_tool_output')} text={output} />
    </details>
  );
}

function ToolText({ label, text }: { label: string; text: string }) {
  if (text === '') return null;
  return (
    <>
      <div className={classes.label}>{label}</div>
      {/* A scroll container must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes.text} dir="ltr" tabIndex={0}>
        {text}
      </pre>
    </>
  );
}

function sentenceOf(work: ToolKind, state: ToolCallState, name: string, t: TFunction): string {
  if (state === 'failed') return t('com_chat_tool_failed', { 0: name });
  if (state === 'stopped') return t('com_tools_stopped', { 0: name });
  const isFinished = state === 'finished';
  switch (work) {
    case 'retrieval':
      return isFinished ? t('com_assistants_retrieval_used') : t('com_assistants_retrieval_searching');
    case 'code':
      return isFinished ? t('com_assistants_code_finished') : t('com_assistants_code_analyzing');
    case 'image':
      return isFinished ? t('com_ui_image_finished') : t('com_ui_image_creating');
    case 'function':
      return isFinished ? t('com_chat_tool_called', { 0: name }) : t('com_chat_tool_calling', { 0: name });
    default:
      return work satisfies never;
  }
}
