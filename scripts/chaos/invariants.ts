// The invariants of a chaos run. One function per invariant; each collects all violations.
import type { Convo } from '@parley/schema/convos/convos';
import { isDeepStrictEqual } from 'node:util';
import { cleanText } from '@parley/schema/clean-text';
import { asFields, listIn } from '@parley/schema/json';
import { messageText } from '@parley/schema/messages/messages';
import { scenarioText as wholeTextOf, type RecordedRequest } from '../fake-provider.ts';
import type { Exchange } from './exchange.ts';
import type { FinalState } from './final-state.ts';
import { miscounted, repeatedCalls, toolReplyRules } from './tool-rules.ts';
import { requestIdOf } from './clients.ts';

export interface Violation {
  rule: string;
  /** The exchange with its ids, and what is wrong with it. */
  text: string;
}

type MessageRow = FinalState['rows']['messages'][number];

/** A killed server may lose the last this many milliseconds of the provider's output. */
const MAY_LOSE_MS = 250;
/** Scenarios that send one byte at a time: their text counts as sent before it leaves. */
const slices = ['bytes', 'emoji'];
/** The model calls of an answer with tools. */
const STEPS = 3;
/** How long the provider may continue after a stop was answered. */
const STOP_MS = 1000;

type Rule = (facts: FinalState) => string[];

const rules: Record<string, Rule> = {
  'an acknowledged question exists exactly once': eachAcknowledged((exchange, facts) => {
    const rows = facts.rows.messages.filter((row) => row.id === requestIdOf(exchange));
    const isOurs = rows[0]?.isCreatedByUser && messageText(rows[0]) === exchange.question;
    return rows.length === 1 && isOurs ? null : `found ${rows.length}`;
  }),
  'an acknowledged question has exactly one reply': eachAcknowledged((exchange, facts) => {
    const rows = facts.rows.messages.filter((row) => row.generationId === exchange.input.generationId);
    const isRight = rows[0]?.id === exchange.input.replyId && rows[0].parentId === requestIdOf(exchange);
    return rows.length === 1 && isRight ? null : `found ${rows.length}`;
  }),
  'a question that was refused left nothing': ({ exchanges, rows }) =>
    exchanges
      // The messages of a removed conversation are deleted with it, as they are.
      .filter(({ acknowledged, talk }) => !acknowledged && talk.removed === 'no')
      .filter(({ input }) => rows.messages.some((row) => row.id === input.replyId && row.deletedAt === null))
      .map((exchange) => nameOf(exchange)),
  'an ask is answered': ({ exchanges }) =>
    exchanges
      .filter(
        ({ acknowledged, refused, talk }) => !acknowledged && !(refused?.type === 'not_found' && talk.removed !== 'no'),
      )
      .map((exchange) => `${nameOf(exchange)} was refused: ${JSON.stringify(exchange.refused)}`),
  'every reply is terminal some time after the last restart': eachReply((_exchange, reply) =>
    reply.finishReason === null ? `has no finish reason` : null,
  ),
  'nothing is left running': ({ rows, settled, world }) => [
    ...(settled ? [] : ['the run did not settle in time']),
    ...rows.generations.filter(({ endedAt }) => endedAt === null).map(({ id }) => `generation ${id} has no end`),
    ...rows.convos
      .filter(({ running, runsLeft }) => running !== null || runsLeft !== 0)
      .map(({ id }) => `conversation ${id} is marked as running`),
    ...rows.events.map(({ generationId }) => `generation ${generationId} has a log left`).slice(0, 5),
    ...(world.provider.openStreams() === 0 ? [] : [`the provider still answers ${world.provider.openStreams()}`]),
  ],
  'the provider was called once for a generation, or for each step': eachAcknowledged((exchange, facts) => {
    const calls = callsOf(exchange, facts).length;
    const mayBeNone = exchange.stopped !== null || exchange.talk.removed !== 'no' || outageIn(exchange, facts);
    const isRight = calls === 1 || (exchange.plan.course === 'tools' && calls > 0 && calls <= STEPS);
    return isRight || (calls === 0 && mayBeNone) ? null : `was called ${calls} times`;
  }),
  'the text of a reply is what the provider said': eachReply((exchange, reply, facts) => {
    // It quotes the tools: see `tool-rules.ts`.
    if (exchange.plan.course === 'tools') return null;
    const saved = messageText(reply);
    const said = saidIn(exchange, facts);
    if (!said.startsWith(saved)) return `${differenceOf(saved, said)}`;
    if (mayBePartial(exchange, reply) || saved.length === said.length) return null;
    return `has ${saved.length} of ${said.length} characters`;
  }),
  'a reply ends as its answer did': eachReply((exchange, reply, facts) => {
    const reason = reply.reason?.type ?? null;
    if (reason === 'interrupted') return outageIn(exchange, facts) ? null : 'was interrupted, but no server was down';
    if (exchange.stopped || exchange.talk.removed !== 'no') return null;
    if (exchange.plan.course === 'whole' || exchange.plan.course === 'tools')
      return reason === null ? null : `has the reason ${reason}`;
    return reason === null ? 'has no reason, but its provider failed' : null;
  }),
  'a stop is answered with what is saved': eachReply((exchange, reply) => {
    const reported = exchange.stopped?.final?.reply;
    return !reported || isDeepStrictEqual(reported.parts, reply.parts)
      ? null
      : 'the stop was answered with something else';
  }),
  'every viewer ends with the saved reply': eachReply((exchange, reply, facts) =>
    firstOf(exchange.viewers, (viewer, n) => {
      if (viewer.faults.length > 0) return `viewer ${n} ${viewer.faults[0]}`;
      if (!viewer.final) return exchange.talk.removed === 'no' ? `viewer ${n} saw no end` : null;
      if (!isDeepStrictEqual(viewer.final.reply.parts, reply.parts)) return `viewer ${n} has another text`;
      const mayHaveSeenMore = reply.reason?.type === 'interrupted' && outageIn(exchange, facts);
      return mayHaveSeenMore || messageText(reply).startsWith(viewer.textSeen)
        ? null
        : `viewer ${n} was told another text`;
    }),
  ),
  'the server lists what is saved': (facts) =>
    facts.exchanges.flatMap((exchange) => {
      const thread = facts.threads.get(exchange.talk);
      const saved = replyOf(exchange, facts);
      if (!thread || !saved || saved.deletedAt !== null) return [];
      const listed = thread.find((message) => message.messageId === saved.id);
      return listed && isDeepStrictEqual(listed.parts, saved.parts)
        ? []
        : [`${nameOf(exchange)} is listed differently`];
    }),
  'the messages of a conversation are a tree': ({ rows }) => {
    const byId = new Map(rows.messages.map((row) => [row.id, row]));
    return rows.messages
      .filter(({ parentId }) => parentId !== null)
      .filter((row) => {
        const parent = byId.get(row.parentId ?? '');
        return parent?.convoId !== row.convoId || parent.seq >= row.seq || parent.depth !== row.depth - 1;
      })
      .map((row) => `message ${row.id} hangs on ${row.parentId}`);
  },
  'a removed conversation stays removed': ({ talks, threads, lists }) => {
    const listed = new Set([...lists.values()].flat().map((convo) => convo.conversationId));
    return talks
      .filter((talk) => talk.removed === 'yes' && (listed.has(talk.conversationId) || threads.get(talk) !== null))
      .map(({ conversationId }) => `conversation ${conversationId} is back`);
  },
  'a conversation that nobody removed is listed': ({ talks, lists }) => {
    const listed = new Set([...lists.values()].flat().map((convo) => convo.conversationId));
    return talks
      .filter(({ removed, exchanges }) => removed === 'no' && exchanges.some((exchange) => exchange.acknowledged))
      .filter(({ conversationId }) => !listed.has(conversationId))
      .map(({ conversationId }) => `conversation ${conversationId} is missing`);
  },
  'a rename holds': ({ talks, rows }) =>
    talks
      .filter(
        ({ title, conversationId }) => title && rows.convos.find(({ id }) => id === conversationId)?.title !== title,
      )
      .map(({ title, conversationId }) => `conversation ${conversationId} is not called ${title}`),
  'the change feed tells what is listed': ({ people, lists, sidebars }) =>
    people.flatMap((person) => {
      const listed = new Map((lists.get(person) ?? []).map((convo) => [convo.conversationId, convo]));
      const sidebar = sidebars.get(person) ?? new Map<string, Convo>();
      const ids = [...new Set([...listed.keys(), ...sidebar.keys()])];
      return ids
        .filter((id) => !isDeepStrictEqual(listed.get(id), sidebar.get(id)))
        .map((id) => {
          const reported = sidebar.get(id);
          const fields =
            listed.get(id) && reported
              ? differingFields(listed.get(id), reported)
              : reported
                ? 'told only'
                : 'listed only';
          return `conversation ${id} of ${person.account.name}: ${fields}`;
        });
    }),
  'a stop, a rename and a removal are answered': ({ exchanges }) =>
    exchanges.filter(({ unanswered }) => unanswered).map((exchange) => nameOf(exchange)),
  'no server complained': ({ world }) => world.complaints(),
  'no call that may not be repeated is carried out twice': repeatedCalls,
  'a call that is done was carried out': eachReply((exchange, reply, facts) => miscounted(exchange, reply, facts)),
  ...Object.fromEntries(Object.entries(toolReplyRules).map(([rule, find]) => [rule, eachReply(whereCalled(find))])),
};

/** Rules that compare a measured time with a bound: a busy machine breaks them, too. */
const timedRules: Record<string, Rule> = {
  'at most 250 ms of a killed reply are lost': eachReply((exchange, reply, facts) => {
    const lost = lostIn(exchange, reply, facts);
    const starved = outageOf(exchange, facts)?.starved ?? 0;
    return lost <= MAY_LOSE_MS + starved ? null : `lacks what was said ${Math.round(lost)} ms before the end`;
  }),
  'a stop ends the call within a second': eachReply((exchange, _reply, facts) => {
    const [call] = callsOf(exchange, facts);
    if (!exchange.stopped || !call) return null;
    const late = (call.finishedAt ?? Infinity) - Math.max(exchange.stopped.at, call.at);
    return late <= STOP_MS ? null : `the provider was left after ${Math.round(late)} ms`;
  }),
};

/** For each reply cut by an outage: how much was lost, in milliseconds of the provider's output. */
export function listLosses(facts: FinalState): number[] {
  return facts.exchanges.flatMap((exchange) => {
    const reply = replyOf(exchange, facts);
    return reply?.reason?.type === 'interrupted' ? [lostIn(exchange, reply, facts)] : [];
  });
}

/** `timed` checks the rules about times as well. */
export function findViolations(facts: FinalState, { timed }: { timed: boolean }): Violation[] {
  const checked = timed ? { ...rules, ...timedRules } : rules;
  return Object.entries(checked).flatMap(([rule, find]) => find(facts).map((text) => ({ rule, text })));
}

function eachAcknowledged(find: (exchange: Exchange, facts: FinalState) => string | null) {
  return (facts: FinalState) =>
    facts.exchanges
      .filter((exchange) => exchange.acknowledged)
      .flatMap((exchange) => {
        const found = find(exchange, facts);
        return found === null ? [] : [`${nameOf(exchange)}: ${found}`];
      });
}

function eachReply(find: (exchange: Exchange, reply: MessageRow, facts: FinalState) => string | null) {
  return eachAcknowledged((exchange, facts) => {
    const reply = replyOf(exchange, facts);
    return reply ? find(exchange, reply, facts) : null;
  });
}

/** For replies with tools only. */
function whereCalled(find: (exchange: Exchange, reply: MessageRow) => string | null) {
  return (exchange: Exchange, reply: MessageRow) => (exchange.plan.course === 'tools' ? find(exchange, reply) : null);
}

function replyOf({ input }: Exchange, { rows }: FinalState): MessageRow | undefined {
  return rows.messages.find((row) => row.id === input.replyId);
}

function firstOf<T>(list: readonly T[], find: (item: T, n: number) => string | null): string | null {
  for (const [n, item] of list.entries()) {
    const found = find(item, n);
    if (found !== null) return found;
  }
  return null;
}

function nameOf({ index, plan, input }: Exchange): string {
  const { generationId, replyId, conversationId } = input;
  const scenario = plan.arg === undefined ? plan.scenario : `${plan.scenario}:${plan.arg}`;
  return `#${index} ${scenario} (generation ${generationId}, reply ${replyId}, conversation ${conversationId})`;
}

/** The provider's calls for one generation: those between its question and the next one of its conversation. */
function callsOf(exchange: Exchange, { world }: FinalState): RecordedRequest[] {
  const { talk, mark, askedAt } = exchange;
  const next = talk.exchanges[talk.exchanges.indexOf(exchange) + 1];
  return world.provider.requests.filter(
    (request) =>
      request.at >= askedAt &&
      request.at < (next?.askedAt ?? Infinity) &&
      !/(^|-)title$/.test(request.scenario ?? 'title') &&
      lastQuestionOf(request).includes(mark),
  );
}

function lastQuestionOf({ body }: RecordedRequest): string {
  const messages = listIn(asFields(body).messages).map(asFields);
  return String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
}

/** The outage that began while the exchange was running. */
function outageOf(exchange: Exchange, { world, rows }: FinalState) {
  const ended = rows.generations.find(({ id }) => id === exchange.input.generationId)?.endedAt;
  const end = ended ? Date.parse(ended) : Infinity;
  return world.outages.find(({ from, endedAt }) => endedAt >= exchange.askedAt && from <= end);
}

function outageIn(exchange: Exchange, facts: FinalState): boolean {
  return outageOf(exchange, facts) !== undefined;
}

/** Whether a reply may end before the provider's answer did. */
function mayBePartial({ plan, stopped, talk }: Exchange, reply: MessageRow): boolean {
  const wasCut = reply.reason?.type === 'interrupted' || plan.scenario === 'malformed';
  return wasCut || ((stopped !== null || talk.removed !== 'no') && reply.finishReason === 'incomplete');
}

/**
 * How long before its server died the provider had sent the text missing from the reply, in milliseconds; 0 if nothing
 * is missing.
 */
function lostIn(exchange: Exchange, reply: MessageRow, facts: FinalState): number {
  const [call] = callsOf(exchange, facts);
  if (exchange.plan.course === 'tools') return 0;
  if (!call || reply.reason?.type !== 'interrupted' || slices.includes(exchange.plan.scenario)) return 0;
  const heardUntil = call.closedEarly ? (call.finishedAt ?? Infinity) : Infinity;
  const diedAt = Math.min(outageOf(exchange, facts)?.from ?? Infinity, heardUntil);
  // Cleaning may shorten the text, and half a surrogate pair waits for the other half: neither is a loss.
  const kept = matchingLength(wholeText(exchange), messageText(reply)) + 1;
  return Math.max(0, diedAt - (facts.world.timeline.passedAt(call, kept) ?? Infinity));
}

/** The length of the provider's text that a saved text covers. */
function matchingLength(said: string, saved: string): number {
  let length = saved.length;
  while (cleanText(said.slice(0, length)).length < saved.length && length < said.length) length += 1;
  return length;
}

function saidIn(exchange: Exchange, facts: FinalState): string {
  const said = callsOf(exchange, facts).reduce((most, call) => Math.max(most, call.said), 0);
  return cleanText(wholeText(exchange).slice(0, said));
}

function wholeText({ plan, question }: Exchange): string {
  return wholeTextOf(plan.scenario, plan.arg, question);
}

/** The fields that differ, with both values. */
function differingFields(one: object = {}, other: object): string {
  const values = new Map(Object.entries(other));
  return Object.entries(one)
    .filter(([field, value]) => !isDeepStrictEqual(value, values.get(field)))
    .map(([field, value]) => `${field} ${JSON.stringify(value)} was told as ${JSON.stringify(values.get(field))}`)
    .join(', ');
}

function differenceOf(saved: string, said: string): string {
  let at = 0;
  while (at < saved.length && saved[at] === said[at]) at += 1;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 10), at + 20));
  return `differs at ${at} of ${said.length}: saved ${around(saved)}, said ${around(said)}`;
}
