// Asks for a research and starts its plan, as a browser does.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import { PLAN_CALL, readShownPlan, type ShownPlan } from '@parley/schema/chat/research';
import { blockOfCall } from '@parley/schema/artifacts/artifact-call';
import { findArtifacts } from '@parley/schema/artifacts/find-artifacts';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isLoopCall, messageText, type LoopCall, type Message } from '@parley/schema/messages/messages';
import { exchange, question } from '../../support/exchange.ts';
import type { TestServices } from '../../support/services.ts';

let asked = 0;

/** A question for a report; `options` are those of the scenario `research`. */
export function researchAsk(options: string, over: Partial<AskInput> = {}): AskInput {
  asked += 1;
  return question(`What of the parts, number ${asked}? [[research:${options}]]`, {
    model: 'gpt-4',
    research: {},
    ...over,
  });
}

export function readWaitingPlan({ reply }: Pick<FinalEvent, 'reply'>): ShownPlan {
  const plan = readShownPlan(listLoopCalls(reply).find(({ id }) => id === PLAN_CALL)?.input ?? '');
  if (!plan) throw new Error('The reply shows no plan');
  return plan;
}

/** Starts the plan of a reply, changed by `over`. */
export function started(planned: Pick<FinalEvent, 'convo' | 'reply'>, over: Partial<ShownPlan> = {}): AskInput {
  const { convo, reply } = planned;
  const { version, steps, budget } = { ...readWaitingPlan(planned), ...over };
  return {
    ...question('', { model: 'gpt-4', settings: convo.settings }),
    generationId: randomUUID(),
    conversationId: convo.conversationId,
    replyId: reply.messageId,
    research: { start: { version, steps, budget } },
    target: { kind: 'resume', messageId: reply.messageId, decisions: { [PLAN_CALL]: 'allow' } },
  };
}

/** Plans a research and carries it out, to its end. */
export async function researched(
  services: TestServices,
  userId: string,
  options: string,
  over: Partial<ShownPlan> = {},
): Promise<{ planned: FinalEvent; final: FinalEvent }> {
  const planned = await exchange(services, userId, researchAsk(options));
  return { planned, final: await exchange(services, userId, started(planned, over)) };
}

export function listLoopCalls({ parts }: Pick<Message, 'parts'>): LoopCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}

/** The calls that show the steps of a plan. */
export function listStepCalls(reply: Pick<Message, 'parts'>): LoopCall[] {
  return listLoopCalls(reply).filter(({ name }) => name === 'research_step');
}

export function readReport(reply: Pick<Message, 'parts'>): string {
  const blocks = listLoopCalls(reply).flatMap((call) => blockOfCall(call) ?? []);
  const [report] = findArtifacts([messageText(reply), ...blocks]).filter(({ kind }) => kind === 'markdown');
  return report?.source ?? '';
}
