// Begins an exchange: validates the ask, writes it in one transaction, then starts the run.
import type { Db } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { parseSettings } from '@parley/schema/settings/settings';
import type { FindAnswering } from '../assistants/answering.ts';
import type { Billing } from '../billing/billing.ts';
import type { WrittenConvos } from '../convos/written-convos.ts';
import type { Client } from '../http/client.ts';
import type { Endpoints } from '../catalog/endpoint.ts';
import { metadataOf } from '../catalog/model-list.ts';
import type { ProviderTarget } from '../providers/provider.ts';
import { Refusal } from '../platform/errors.ts';
import type { AskLimits } from '../abuse/ask-limits.ts';
import { recordIfViolation } from '../abuse/violation-error.ts';
import type { Violations } from '../abuse/violations.ts';
import type { Ask } from './ask-messages.ts';
import { assertAttachable } from './checks/assert-attachable.ts';
import { assertModel } from './checks/assert-model.ts';
import { withExpiry } from './checks/expired-key.ts';
import { beginExchange } from './begin-exchange.ts';
import { chargeableOf } from './chargeable.ts';
import { findExisting } from './existing-ask.ts';
import type { Moderation } from './checks/moderation.ts';
import { persistRefusal } from './persist-refusal.ts';
import type { RetryAfterRecovery } from './retry-after-recovery.ts';
import type { StartRun } from './run.ts';
import { modelForImages } from './checks/vision-model.ts';

export interface AskedFrom {
  /** The client, if it is not Parley's own. */
  client?: Client | undefined;
  /** Whether to store a temporary refusal in the conversation as well. */
  keepsRefused?: boolean | undefined;
  /** Whether calls of chosen plugins and actions run without a question, unless each of them needs one. */
  callsUnasked?: boolean | undefined;
  /** When the user's key expires, as far as the client knows. */
  keyExpiresAt?: string | undefined;
}

export interface AskDeps {
  db: Db;
  owner: string;
  endpoints: Endpoints;
  findAnswering: FindAnswering;
  limits: AskLimits;
  moderate: Moderation;
  billing: Billing;
  writtenConvos: WrittenConvos;
  violations: Violations;
  retryAfterRecovery: RetryAfterRecovery;
  startRun: StartRun;
}

/** An ask that may begin, without what its client wishes. */
interface Resolved {
  asked: Omit<Ask, 'callsUnasked'>;
  target: ProviderTarget;
}

export function createAsk(deps: AskDeps) {
  const {
    db,
    owner,
    endpoints,
    findAnswering,
    limits,
    moderate,
    billing,
    writtenConvos,
    violations,
    retryAfterRecovery,
    startRun,
  } = deps;
  return ask;

  async function ask(userId: string, input: AskInput, from: AskedFrom = {}): Promise<CreatedEvent> {
    const client = from.client ?? null;
    try {
      limits.assertClient(client);
      return await askOnce(userId, input, from);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return existingOrRefuse(userId, input, from, withExpiry(error, from.keyExpiresAt));
    }
  }

  async function askOnce(userId: string, input: AskInput, from: AskedFrom): Promise<CreatedEvent> {
    const { client = null, callsUnasked = false } = from;
    const leave = await limits.enter(userId, input.generationId);
    try {
      // Before the transaction: counting limits and pricing the prompt take time.
      await limits.countMessage({ userId, client }, input.generationId);
      const { asked, target } = await resolve(userId, input);
      const ask = { ...asked, callsUnasked };
      const reserve = await billing.quote(chargeableOf(db.query, ask));
      // Inside the transaction both checks are exact: it holds a lock on the user's row.
      const checks = { assertConcurrency: limits.assertConcurrency, reserve };
      const result = await retryAfterRecovery(() => beginExchange(db, ask, checks));
      if (result.written) writtenConvos.offer(result.written);
      if (result.isNew) startRun(ask, result, target);
      return result.created;
    } finally {
      leave();
    }
  }

  /** Checks the ask and its target: the endpoint exists, moderation passes, the model and a key are available. */
  async function resolve(userId: string, input: AskInput): Promise<Resolved> {
    const answering = await findAnswering(userId, endpoints.assert(input.endpoint), input);
    const { endpoint, assistant } = answering;
    await assertAttachable(db.query, userId, endpoint, input);
    await moderate(userId, answering, input);
    const chosen = await assertModel(endpoint, userId, answering.model);
    const files = input.target.kind === 'send' ? (input.target.files ?? []) : [];
    const model = await modelForImages(db.query, userId, endpoint, chosen, files);
    const target = await endpoint.target(userId, model);
    const settings = parseSettings(endpoint.type, input.settings, model);
    const metadata = await metadataOf(endpoint, userId, model);
    return { asked: { userId, owner, input, endpoint, model, metadata, settings, assistant }, target };
  }

  /**
   * Decides what happens to a refusal. A repeat of an ask that has already begun gets the original result: a key that
   * has expired since, for example, does not matter to it.
   */
  async function existingOrRefuse(
    userId: string,
    input: AskInput,
    { client, keepsRefused }: AskedFrom,
    error: Refusal,
  ): Promise<CreatedEvent> {
    const existing = await findExisting(db.query, userId, input);
    if (existing) return existing;
    const refusal = await recordIfViolation(violations, { userId, ip: client?.ip ?? null }, error);
    if (keepsRefused) await persistRefusal({ db, owner, endpoints }, userId, input, refusal);
    throw refusal;
  }
}
