// After a chaos run: replies with tools that were stopped or lost their server are continued.
import { randomUUID } from 'node:crypto';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { ChaosClient } from './clients.ts';
import type { Exchange } from './exchange.ts';
import type { FinalState } from './final-state.ts';
import { loopCalls, repeatedCalls } from './tool-rules.ts';
import { askToEnd } from './tools.ts';
import { serverRefusal } from './viewer.ts';

interface Violation {
  rule: string;
  text: string;
}

/** Continues each cut reply; returns what is wrong with those that do not end well, and calls that ran again. */
export async function continueCut(people: readonly ChaosClient[], facts: FinalState): Promise<Violation[]> {
  const cut = facts.exchanges.filter((exchange) => isCut(exchange, facts));
  const found = await Promise.all(
    people.map((person) => continueAll(cut.filter(({ talk }) => talk.person === person))),
  );
  return [
    ...found.flat().map((text) => ({ rule: 'a cut reply with tools can be continued', text })),
    ...repeatedCalls(facts).map((text) => ({ rule: 'no call that may not be repeated runs again by Continue', text })),
  ];
}

function isCut({ plan, talk, acknowledged, input }: Exchange, { rows }: FinalState): boolean {
  if (plan.course !== 'tools' || talk.removed !== 'no' || !acknowledged) return false;
  const reply = rows.messages.find(({ id }) => id === input.replyId);
  return reply?.finishReason === 'incomplete';
}

/** One after the other: a person has only so many answers at once. */
async function continueAll(exchanges: readonly Exchange[]): Promise<string[]> {
  const found: string[] = [];
  for (const exchange of exchanges) {
    const wrong = await continueOne(exchange);
    if (wrong !== null) found.push(`#${exchange.index} (reply ${exchange.input.replyId}) ${wrong}`);
  }
  return found;
}

async function continueOne({ input, talk: { person } }: Exchange): Promise<string | null> {
  const [device] = person.devices;
  if (!device) return 'has no device';
  const target = { kind: 'continue' as const, messageId: input.replyId };
  try {
    const final = await askToEnd(device, { ...input, generationId: randomUUID(), target });
    return final ? wrongWith(final) : 'ended without an end';
  } catch (error) {
    return `was refused: ${JSON.stringify(serverRefusal(error) ?? String(error))}`;
  }
}

function wrongWith({ reply }: FinalEvent): string | null {
  const open = loopCalls(reply.parts).find(({ state }) => state === 'running' || state === 'writing');
  if (open) return `left the call ${open.id} ${open.state}`;
  return reply.finishReason === 'stop' && reply.reason === null
    ? null
    : `ended as ${reply.finishReason}: ${JSON.stringify(reply.reason)}`;
}
