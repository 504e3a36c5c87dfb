// The invariants of exchanges with tools.
import { isDeepStrictEqual } from 'node:util';
import { isLoopCall, messageText, type MessagePart, type ToolCall } from '@parley/schema/messages/messages';
import type { Exchange } from './exchange.ts';
import type { FinalState } from './final-state.ts';
import type { Viewer } from './viewer.ts';
import { codeIn, UNREPEATABLE } from './tools.ts';

type Reply = FinalState['rows']['messages'][number];
/** What is wrong with a reply; null when nothing is. */
type ReplyRule = (exchange: Exchange, reply: Reply) => string | null;

const ENDED: readonly ToolCall['state'][] = ['done', 'stopped', 'unknown'];

/** Of replies with tools, by what must hold. */
export const toolReplyRules: Record<string, ReplyRule> = {
  'calls of an ended reply are done, stopped or unknown': (_exchange, reply) => {
    const other = loopCalls(reply.parts).find(({ state }) => !ENDED.includes(state));
    return other ? `the call ${other.id} is ${other.state}` : null;
  },
  'only what may be repeated waits to be carried out again': (_exchange, reply) => {
    const lost = loopCalls(reply.parts).find(({ name, output }) => name === UNREPEATABLE && output === null);
    return lost ? `the call ${lost.id} of ${lost.name} would be repeated` : null;
  },
  'a reply that nothing disturbed has carried out every call': ({ stopped, talk }, reply) => {
    if (stopped || talk.removed !== 'no' || reply.reason) return null;
    const states = loopCalls(reply.parts).map(({ name, state }) => `${name} ${state}`);
    const isWhole = isDeepStrictEqual(states, ['calculator done', `${UNREPEATABLE} done`, `${UNREPEATABLE} done`]);
    return isWhole && messageText(reply).includes('The tools say:') ? null : `has ${states.join(', ')}`;
  },
  'the log of a whole reply folds to what is saved': ({ viewers, stopped, talk }, reply) => {
    if (stopped || talk.removed !== 'no' || reply.reason) return null;
    // One that comes back after the end gets that only; the text comes last.
    const isOther = ({ textSeen, folded }: Viewer) =>
      textSeen === messageText(reply) && !isDeepStrictEqual(folded, reply.parts);
    const other = viewers.findIndex(isOther);
    return other === -1 ? null : `viewer ${other} folded something else`;
  },
};

/** Calls that were carried out more than once. Each question with tools is asked once, each call differs. */
export function repeatedCalls({ world }: Pick<FinalState, 'world'>): string[] {
  const codes = world.tools.requests.flatMap((request) => codeIn(request) ?? []);
  const counts = new Map<string, number>();
  // All people try the tool with the same code, which has no mark.
  for (const code of codes) if (code !== '1') counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([code, count]) => `${code.slice(0, 80)} ran ${count} times`);
}

/** Calls that are saved as done although the service never got them, or the other way round. */
export function miscounted({ mark }: Exchange, reply: Reply, { world }: FinalState): string | null {
  const ran = new Set(world.tools.requests.flatMap((request) => codeIn(request) ?? []));
  const wrong = loopCalls(reply.parts)
    .filter(({ name }) => name === UNREPEATABLE)
    .find(({ input, state }) => state === 'done' && ![...ran].some((code) => input.includes(code)));
  return wrong ? `${mark}: the call ${wrong.id} is done, but nobody carried it out` : null;
}

export function loopCalls(parts: readonly MessagePart[]): ToolCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}
