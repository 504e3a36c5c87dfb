// Begins an exchange: validates the ask, writes it in one transaction, then starts the run.
import type { Db } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { parseSettings } from '@parley/schema/settings/settings';
import type { FindResponder } from '../assistants/find-responder.ts';
import type { Billing } from '../billing/billing.ts';
import type { WrittenConvos } from '../convos/written-convos.ts';
import type { Endpoints } from '../catalog/endpoint.ts';
import { Refusal } from '../platform/errors.ts';
import type { AskLimits } from '../abuse/ask-limits.ts';
import type { Violations } from '../abuse/violations.ts';
import { assertAttachable } from './checks/assert-attachable.ts';
import { resolveModel } from './checks/assert-model.ts';
import { beginExchange } from './begin-exchange.ts';
import { askedCharge } from './chargeable.ts';
import type { Moderation } from './checks/moderation.ts';
import { existingOrRefuse, type RefusableClient } from './refused-ask.ts';
import { keptModel } from './kept-model.ts';
import type { RetryAfterRecovery } from './retry-after-recovery.ts';
import type { StartRun } from './run.ts';

export interface AskedFrom extends RefusableClient {
  /** Whether calls of chosen plugins and actions run without a question, unless each of them needs one. */
  callsUnasked?: boolean | undefined;
}

export interface AskDeps {
  db: Db;
  owner: string;
  endpoints: Endpoints;
  findResponder: FindResponder;
  limits: AskLimits;
  moderate: Moderation;
  billing: Billing;
  writtenConvos: WrittenConvos;
  violations: Violations;
  retryAfterRecovery: RetryAfterRecovery;
  startRun: StartRun;
}

export function createAsk(deps: AskDeps) {
  const { db, owner, endpoints, findResponder, limits, moderate, billing, writtenConvos, startRun } = deps;
  return ask;

  async function ask(userId: string, input: AskInput, from: AskedFrom = {}): Promise<CreatedEvent> {
    try {
      limits.assertClient(from.client ?? null);
      return await askOnce(userId, input, from);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return existingOrRefuse(deps, userId, input, from, error);
    }
  }

  async function askOnce(userId: string, input: AskInput, from: AskedFrom): Promise<CreatedEvent> {
    const { client = null, callsUnasked = false } = from;
    const leave = await limits.enter(userId, input.generationId);
    try {
      // Before the transaction: counting limits and pricing the prompt take time.
      await limits.countMessage({ userId, client }, input.generationId);
      const { target, ...asked } = await resolve(userId, input);
      const ask = { ...asked, callsUnasked };
      const reserve = await billing.quote(askedCharge(db.query, ask));
      // Inside the transaction both checks are exact: it holds a lock on the user's row.
      const checks = { assertConcurrency: limits.assertConcurrency, reserve };
      const result = await deps.retryAfterRecovery(() => beginExchange(db, ask, checks));
      if (result.written) writtenConvos.offer(result.written);
      if (result.isNew) startRun(ask, result, target);
      return result.created;
    } finally {
      leave();
    }
  }

  /** Checks the ask and its target: the endpoint exists, moderation passes, the model and a key are available. */
  async function resolve(userId: string, input: AskInput) {
    const responder = await findResponder(userId, endpoints.assert(input.endpoint), input);
    const { endpoint, assistant } = responder;
    await assertAttachable(db.query, userId, endpoint, input);
    await moderate(userId, responder, input);
    const files = input.target.kind === 'send' ? (input.target.files ?? []) : [];
    const { model, metadata } = await resolveModel(db.query, userId, responder, files);
    const target = await endpoint.target(userId, model);
    const settings = parseSettings(endpoint.type, input.settings, model);
    const kept = keptModel(endpoints, input);
    return { userId, owner, input, endpoint, model, metadata, settings, kept, assistant, target };
  }
}
