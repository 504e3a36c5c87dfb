import { typedKeys } from '@parley/schema/entries';
import {
  IconAlertTriangle,
  IconBulb,
  IconCode,
  IconFileSearch,
  IconTool,
  IconWorld,
  IconWorldSearch,
  type Icon,
} from '@tabler/icons-react';
import type { ToolCall } from '@parley/schema/messages/messages';
import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'jotai';
import { ProgressRing } from '../message/progress-ring.tsx';
import { describeDuration, describeStep, isAtWork, toolState, toolWork, type ToolWork } from './describe-step.ts';
import { GeneratedFiles } from './generated-files.tsx';
import { useStepOpen } from './open-steps.ts';
import { type Decide, ApprovalRequests } from './approval-requests.tsx';
import { StepFrame } from './step-frame.tsx';
import { StepBody } from './step-body.tsx';
import { onClearPersonalData } from '../../lib/personal-data.ts';
import { finishedStepAtom } from '../finished.ts';
import { blockOfCall } from '@parley/schema/artifacts/artifact-call';
import { readFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import { Fence } from '../../content/code/code-block.tsx';

const icons: Record<ToolWork, Icon> = {
  code: IconCode,
  web: IconWorldSearch,
  page: IconWorld,
  files: IconFileSearch,
  reflection: IconBulb,
  other: IconTool,
};

interface StepViewProps {
  /** Unique among the steps on screen, and the same after a reload of the thread. */
  stepKey: string;
  calls: readonly ToolCall[];
  /** The message is in progress. */
  isWriting: boolean;
  /** Answers what the calls wait for; absent where nothing can be decided any more. */
  onDecide?: Decide | undefined;
  /** Everything is shown, for an image of the page. */
  isDrawn?: boolean | undefined;
}

/** The tool calls of one step: a line that unfolds, what they made, and what they ask their reader. */
export const StepView = memo(function StepView(props: StepViewProps) {
  const { stepKey, calls, isWriting, onDecide, isDrawn = false } = props;
  const { t, i18n } = useTranslation();
  const isRunning = calls.some((call) => isAtWork(call, isWriting));
  const [isOpen, toggle] = useStepOpen(stepKey, isRunning);
  const sentence = describeStep(calls, isWriting, { t, language: i18n.language });
  useAnnounceEnd(stepKey, sentence, { isRunning, isWriting });
  const states = calls.map((call) => toolState(call, isWriting));
  const hasFailed = states.every((state) => state === 'failed');
  const waiting = calls.filter((_, index) => states[index] === 'waiting');
  const isAsked = waiting.length > 0 && !isDrawn && (onDecide !== undefined || isWriting);
  const took = isRunning || waiting.length > 0 ? '' : describeDuration(calls, i18n.language);

  return (
    <div className="stack" data-testid="step">
      {/* What is only asked for stands in its own frame. */}
      {!(isAsked && waiting.length === calls.length) && (
        <StepFrame
          sign={<Sign calls={calls} hasFailed={hasFailed} isRunning={isRunning} />}
          sentence={sentence}
          took={took}
          hasFailed={hasFailed}
          isOpen={isOpen || isDrawn}
          onToggle={toggle}
        >
          <StepBody calls={calls} isWriting={isWriting} isDrawn={isDrawn} isAsked={isAsked} />
        </StepFrame>
      )}
      <GeneratedFiles calls={calls} />
      <MadeArtifacts calls={calls} />
      {isAsked && <ApprovalRequests calls={waiting} isSending={isWriting} onDecide={onDecide} />}
    </div>
  );
}, isSameStep);

/** The list of calls is made anew with each event; what has not changed in it stays the same. */
function isSameStep(before: StepViewProps, after: StepViewProps): boolean {
  const { calls: old, ...oldRest } = before;
  const { calls, ...rest } = after;
  const names = typedKeys(rest);
  return (
    old.length === calls.length &&
    calls.every((call, index) => call === old[index]) &&
    names.every((name) => rest[name] === oldRest[name])
  );
}

function Sign({ calls, hasFailed, isRunning }: { calls: readonly ToolCall[]; hasFailed: boolean; isRunning: boolean }) {
  const [first] = calls;
  const Shown = hasFailed ? IconAlertTriangle : icons[first ? toolWork(first) : 'other'];
  const known = Math.max(...calls.map(({ progress }) => progress));
  return (
    <>
      <Shown aria-hidden />
      {isRunning && <ProgressRing progress={known > 0 && known < 1 ? known : 0.25} />}
    </>
  );
}

/** What was announced already, by the key of its step: a row that scrolls back into view is not announced again. */
const announced = new Map<string, string>();
onClearPersonalData(() => announced.clear());

/** Announces a step once when it ends, or begins to wait for its reader. Steps of stored messages are silent. */
function useAnnounceEnd(key: string, sentence: string, state: { isRunning: boolean; isWriting: boolean }): void {
  const { isRunning, isWriting } = state;
  const store = useStore();
  const [wasWriting, setWasWriting] = useState(isWriting);
  if (isWriting && !wasWriting) setWasWriting(true);
  useEffect(() => {
    if (isRunning || !wasWriting || announced.get(key) === sentence) return;
    announced.set(key, sentence);
    store.set(finishedStepAtom, { key, sentence });
  }, [isRunning, wasWriting, key, sentence, store]);
}

/** The artifacts that the calls of a step made or changed, as blocks of code show theirs. */
function MadeArtifacts({ calls }: { calls: readonly ToolCall[] }) {
  return calls.map((call) => {
    const block = blockOfCall(call);
    if (!block) return null;
    const { info, source } = block;
    const { language } = readFenceInfo(info);
    return <Fence key={call.id} info={info} code={source} language={language} open={false} cursor={false} />;
  });
}
