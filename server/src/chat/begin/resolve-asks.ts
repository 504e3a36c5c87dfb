// Checks asks before their transaction: who answers them, by which model, and what it may cost.
import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { AskInput } from '@parley/schema/chat/ask';
import { parseSettings } from '@parley/schema/settings/settings';
import type { Db, Query } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import type { FindResponder } from '../../assistants/find-responder.ts';
import type { Endpoints } from '../../catalog/endpoint.ts';
import type { Quoted } from '../../billing/quote.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import type { KeyHolder } from '../../platform/requests/key-holder.ts';
import type { Billing } from '../../billing/billing.ts';
import { askedCharge } from '../chargeable.ts';
import type { ProviderTarget } from '../../providers/provider.ts';
import type { Ask, KeptModel } from './ask.ts';
import type { Moderation } from '../checks/moderation.ts';
import { assertAttachable } from '../checks/assert-attachable.ts';
import { resolveModel } from '../checks/assert-model.ts';
import { planAnswer } from '../../pictures/plan-picture.ts';

/** Describes an ask before its transaction: what it may cost and who answers, or why it alone was refused. */
export interface ResolvedAsk {
  ask: Ask;
  /** Null for a refused one. */
  target: ProviderTarget | null;
  quoted: Quoted | null;
  refusal: Refusal | null;
}

export interface ResolveDeps {
  db: Db;
  owner: string;
  endpoints: Endpoints;
  findResponder: FindResponder;
  moderate: Moderation;
  billing: Billing;
}

/** Lists what resolving depends on beside the ask. */
export interface ResolvedFor {
  /** Says whether calls of chosen plugins and actions run without a question, unless each of them needs one. */
  callsUnasked?: boolean | undefined;
  /** Names a program's key, whose limit applies as well. */
  program?: KeyHolder | undefined;
}

/** @throws Refusal of the first one, where every ask is refused */
export async function resolveAsks(
  deps: ResolveDeps,
  userId: string,
  inputs: readonly AskInput[],
  resolvedFor: ResolvedFor,
): Promise<ResolvedAsk[]> {
  const asks = await Promise.all(inputs.map((input) => resolveOne(deps, userId, input, resolvedFor)));
  const [first] = asks;
  if (first instanceof Refusal && asks.every((ask) => ask instanceof Refusal)) throw first;
  return asks.map((ask, place) => {
    if (!(ask instanceof Refusal)) return ask;
    const input = inputs[place];
    if (!input) throw ask;
    return { ask: unresolvedAsk(deps, userId, input), target: null, quoted: null, refusal: ask };
  });
}

async function resolveOne(
  deps: ResolveDeps,
  userId: string,
  input: AskInput,
  { callsUnasked = false, program }: ResolvedFor,
): Promise<ResolvedAsk | Refusal> {
  try {
    const { target, ...resolved } = await resolveAsk(deps, userId, input);
    const ask = { ...resolved, callsUnasked, apiKeyId: program?.keyId };
    const quoted = await deps.billing.quote(userId, ask.endpoint.type, () => askedCharge(deps.db.query, ask), program);
    return { ask, target, quoted: quoted && withResearch(quoted, input), refusal: null };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** All of what a research may cost is set aside when it starts. */
function withResearch(quoted: Quoted, { research }: AskInput): Quoted {
  const budget = research?.start?.budget;
  return budget === undefined ? quoted : { ...quoted, least: budget, most: budget };
}

/** @throws Refusal `invalid_input` for a research that is neither asked for nor started */
function assertResearch({ research, target }: AskInput): void {
  if (!research) return;
  const isFitting = research.start ? target.kind === 'resume' : target.kind === 'send' || target.kind === 'regenerate';
  if (!isFitting) refuse({ type: 'invalid_input', text: 'A research begins with a question or its plan' });
}

/**
 * An ask that no provider answers, as it is written with its failed reply.
 * @throws Refusal where there is no such endpoint, ZodError for settings out of bounds: its reply could not be shown
 */
export function unresolvedAsk(
  { owner, endpoints }: Pick<ResolveDeps, 'owner' | 'endpoints'>,
  userId: string,
  input: AskInput,
): Ask {
  const endpoint = endpoints.assert(input.endpoint);
  const model = input.model ?? endpointTable[endpoint.type].defaultModel;
  const settings = parseSettings(endpoint.type, input.settings, model);
  const unneeded = { metadata: {}, kept: null, assistant: null, callsUnasked: false, picture: null };
  return { userId, owner, input, endpoint, model, settings, ...unneeded };
}

/** Checks the ask and its target: the endpoint exists, moderation passes, the model and a key are available. */
async function resolveAsk(
  { db, owner, endpoints, findResponder, moderate }: ResolveDeps,
  userId: string,
  asked: AskInput,
) {
  assertResearch(asked);
  const hasWaited = asked.target.kind === 'send' && asked.target.hasWaited;
  const input = hasWaited ? { ...asked, target: await waitedTarget(db.query, userId, asked) } : asked;
  const responder = await findResponder(userId, endpoints.assert(input.endpoint), input);
  const { endpoint, assistant } = responder;
  const files = input.target.kind === 'send' ? (input.target.files ?? []) : [];
  if (files.length > 0) await assertAttachable(db.query, userId, endpoint, files);
  await moderate(userId, responder, input);
  const { model, metadata } = await resolveModel(db.query, userId, responder, files);
  const priced = await planAnswer(db, { userId, endpoint, model, input }, metadata);
  const target = await endpoint.target(userId, model);
  const settings = parseSettings(endpoint.type, input.settings, model);
  const kept = input.keeps ? keptModel(endpoints, input.keeps) : null;
  return { userId, owner, input, endpoint, model, ...priced, settings, kept, assistant, target };
}

/**
 * Where a question goes that has waited, since the page that sends it may not have seen what was sent before it
 * elsewhere: below the newest reply of what was asked below the named parent while it waited. Another branch that was
 * there before, and a question that waits only in its page, stay where they are.
 */
async function waitedTarget(
  query: Pick<Query, 'execute'>,
  userId: string,
  { conversationId, target }: Pick<AskInput, 'conversationId' | 'target'>,
): Promise<AskInput['target']> {
  if (target.kind !== 'send' || target.parentMessageId === null) return target;
  const [newest] = await query.execute<Record<'id', string>>(sql`
    with recursive since as (
      select m.id, m.parent_id, m.seq, m.is_created_by_user
      from queued_asks waiting join messages m on m.user_id = waiting.user_id and m.convo_id = waiting.convo_id
      where waiting.user_id = ${userId} and waiting.id = ${target.messageId} and waiting.convo_id = ${conversationId}
        and m.created_at > waiting.created_at and m.deleted_at is null
    ), below as (
      select * from since where parent_id = ${target.parentMessageId}
      union all
      select since.* from below join since on since.parent_id = below.id
    )
    select id from below where not is_created_by_user order by seq desc limit 1`);
  return newest ? { ...target, parentMessageId: newest.id } : target;
}

/** Null for an endpoint that is no longer offered: that must not refuse the question. */
function keptModel(endpoints: Endpoints, keeps: NonNullable<AskInput['keeps']>): KeptModel | null {
  const endpoint = endpoints.list().find(({ name }) => name === keeps.endpoint);
  if (!endpoint) return null;
  const model = keeps.model ?? endpointTable[endpoint.type].defaultModel;
  const settings = parseSettings(endpoint.type, keeps.settings, model);
  return { endpoint: endpoint.name, endpointType: endpoint.type, model, settings };
}
