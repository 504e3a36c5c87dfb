import { IconAlertTriangle, IconCode, IconFileSearch, IconPhoto, IconTool, type Icon } from '@tabler/icons-react';
import type { ToolCall } from '@parley/schema/messages/messages';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useStepOpen } from '../steps/open-steps.ts';
import { StepFrame, StepLine } from '../steps/step-frame.tsx';
import { ProgressRing } from './progress-ring.tsx';
import { readToolCall, type ToolCallState, type ToolKind } from './read-tool-call.ts';
import { StepBody } from '../steps/step-body.tsx';

const icons: Record<ToolKind, Icon> = {
  code: IconCode,
  retrieval: IconFileSearch,
  image: IconPhoto,
  function: IconTool,
};

interface ToolCallViewProps {
  /** As `StepView` has it. */
  stepKey: string;
  call: ToolCall;
  /** The message is in progress: an unfinished call may still finish. */
  isWriting: boolean;
  /** Everything is shown, for an image of the page. */
  isDrawn: boolean;
}

/** A tool call that a provider makes itself, as a step: its progress and, unfolded, what was asked and came back. */
export function ToolCallView({ stepKey, call, isWriting, isDrawn }: ToolCallViewProps) {
  const { t } = useTranslation();
  const { work, state, progress } = readToolCall(call, isWriting);
  const [isOpen, toggle] = useStepOpen(stepKey, false);
  const hasFailed = state === 'failed';
  const Shown = hasFailed ? IconAlertTriangle : icons[work];
  const sentence = sentenceOf(work, state, call.name, t);
  const sign = (
    <>
      <Shown aria-hidden />
      {state === 'working' && <ProgressRing progress={progress} />}
    </>
  );
  const isEmpty = call.input.trim() === '' && !call.output && !call.outputs?.length;
  if (isEmpty) return <StepLine sign={sign} sentence={sentence} hasFailed={hasFailed} />;
  return (
    <StepFrame sign={sign} sentence={sentence} hasFailed={hasFailed} isOpen={isOpen || isDrawn} onToggle={toggle}>
      <StepBody calls={[call]} isWriting={isWriting} isDrawn={isDrawn} isAsked={false} />
    </StepFrame>
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
