import type { Message, MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { Fragment, useMemo } from 'react';
import { ArtifactAnswerContext } from '../../content/artifacts/artifact-place.ts';
import { webSourcesOf } from '../../files/citations/web-sources.ts';
import type { Decide } from '../steps/approval-requests.tsx';
import { StepView } from '../steps/step-view.tsx';
import { PartView } from './part-view.tsx';
import classes from '../../files/message/message-files.module.css';
import { memoryCards, researchSteps } from '../lazy-panels.ts';
import { groupParts, planIn } from '../steps/group-parts.ts';

/** An answer of these alone was asked for as pictures. */
const PICTURES = new Set<MessagePart['type']>(['image', 'pending_picture', 'error']);

interface PartsProps {
  message: Pick<Message, 'messageId' | 'parts'>;
  isWriting: boolean;
  /** Answers what its tool calls wait for; absent where nothing can be decided any more. */
  onDecide?: Decide | undefined;
  /** For an image of the page: nothing is folded. */
  isDrawn?: boolean;
}

/** The parts of a reply; tool calls that belong together are one. */
export function Parts({ message: { messageId, parts }, isWriting, onDecide, isDrawn }: PartsProps) {
  // Marks are drawn once the reply is complete.
  const sources = useMemo(() => (isWriting ? [] : webSourcesOf(parts)), [isWriting, parts]);
  const whole = isWriting ? null : parts;
  const answer = useMemo(() => ({ messageId, parts: whole }), [messageId, whole]);
  const plan = planIn(parts);
  // Parts are only appended, so the index is a stable key.
  const drawn = groupParts(parts).map((group) =>
    group.type === 'step' && plan ? (
      // All calls of a research are drawn together, in the place of its plan.
      group.calls.includes(plan) && (
        <researchSteps.Screen
          key={group.index}
          messageId={messageId}
          plan={plan}
          parts={parts}
          isWriting={isWriting}
          onDecide={onDecide}
        />
      )
    ) : group.type === 'step' ? (
      <Fragment key={group.index}>
        <StepView
          stepKey={`${messageId} ${group.index}`}
          calls={group.calls}
          isWriting={isWriting}
          onDecide={onDecide}
          isDrawn={isDrawn}
        />
        <Remembered messageId={messageId} calls={group.calls} />
      </Fragment>
    ) : (
      <PartView
        key={group.index}
        part={group.part}
        stepKey={`${messageId} ${group.index}`}
        sources={sources[group.index] ?? null}
        isOpen={isWriting && group.index === parts.length - 1}
        isWriting={isWriting}
        isDrawn={isDrawn}
      />
    ),
  );
  const isOfPictures = drawn.length > 1 && parts.every(({ type }) => PICTURES.has(type));
  return (
    <ArtifactAnswerContext value={answer}>
      {isOfPictures ? <div className={classes.made}>{drawn}</div> : drawn}
    </ArtifactAnswerContext>
  );
}

/** What the calls remember, or want to. */
function Remembered({ messageId, calls }: { messageId: string; calls: readonly ToolCall[] }) {
  const outputs = calls.flatMap((call) => (call.outputs ?? []).filter((one) => one.type === 'memory'));
  return outputs.length === 0 ? null : <memoryCards.Screen messageId={messageId} outputs={outputs} />;
}
