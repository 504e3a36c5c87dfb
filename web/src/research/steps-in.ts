// The steps of a research as the parts of its reply show them.
import { readShownPlan, readShownStep, planPlaceOfStep, type ShownStep } from '@parley/schema/chat/research';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';

export interface Step {
  shown: ShownStep;
  /** Null before it has begun. */
  call: ToolCall | null;
  /** What it reads now; null while it reads nothing. */
  newest: ToolCall | null;
}

/** Those of the plan, and those that were added. */
export function stepsIn({ input }: ToolCall, parts: readonly MessagePart[]): Step[] {
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? part.call : []));
  const begun = calls.filter(({ name }) => name === 'research_step');
  const planned = (readShownPlan(input)?.steps ?? []).map(({ id, question }): ShownStep => {
    return { id, question, credits: null, sources: null };
  });
  const known = new Set(planned.map(({ id }) => id));
  const added = begun.flatMap((call) => readShownStep(call.input) ?? []).filter(({ id }) => !known.has(id));
  return [...planned, ...added].map((one) => {
    const call = begun.find(({ id }) => id === `step-${one.id}`) ?? null;
    const own = calls.filter((each) => each !== call && placeOf(each) === placeOf(call));
    return {
      shown: (call && readShownStep(call.input)) ?? one,
      call,
      newest: (call && own.at(-1)) ?? null,
    };
  });
}

function placeOf(call: ToolCall | null): number | null {
  return call?.step === undefined ? null : planPlaceOfStep(call.step);
}
