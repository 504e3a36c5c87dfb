// A research in its reply: the plan while it waits, then its steps.
import { PLAN_CALL } from '@parley/schema/chat/research';
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { PlanForm } from './plan-form.tsx';
import { StepList } from './step-list.tsx';

interface ResearchStepsProps {
  messageId: string;
  /** The call that holds the plan. */
  plan: ToolCall;
  parts: readonly MessagePart[];
  isWriting: boolean;
  /** Absent where nothing can be decided any more. */
  onDecide?: ((decisions: Record<string, Decision>, research?: AskInput['research']) => void) | undefined;
}

export function ResearchSteps({ messageId, plan, parts, isWriting, onDecide }: ResearchStepsProps) {
  if (plan.state !== 'waiting')
    return <StepList messageId={messageId} plan={plan} parts={parts} isWriting={isWriting} />;
  return (
    <PlanForm
      messageId={messageId}
      input={plan.input}
      isSending={isWriting}
      onStart={onDecide && ((start) => onDecide({ [PLAN_CALL]: 'allow' }, { start }))}
      onDecline={onDecide && (() => onDecide({ [PLAN_CALL]: 'deny' }))}
    />
  );
}
