// Begins an exchange: validates the ask, writes it in one transaction, then starts the run.
import type { Tx } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent } from '@parley/schema/generation/events';
import type { Billing } from '../billing/billing.ts';
import type { WrittenConvos } from '../convos/written-convos.ts';
import { mayUseEndpoint } from '../api-keys/key-holders.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import type { AskLimits } from '../abuse/ask-limits.ts';
import type { Violations } from '../abuse/violations.ts';
import { beginExchange } from './begin-exchange.ts';
import { askedCharge } from './chargeable.ts';
import type { BeginningRuns } from './begin/beginning-runs.ts';
import { existingOrRefuse, type RefusableClient } from './refused-ask.ts';
import { resolveAsk, type ResolveDeps } from './begin/resolve-ask.ts';
import type { RetryAfterRecovery } from './retry-after-recovery.ts';
import type { StartRun } from './run.ts';

export interface AskedFrom extends RefusableClient {
  /** Whether calls of chosen plugins and actions run without a question, unless each of them needs one. */
  callsUnasked?: boolean | undefined;
}

export interface AskDeps extends ResolveDeps {
  limits: AskLimits;
  billing: Billing;
  writtenConvos: WrittenConvos;
  violations: Violations;
  retryAfterRecovery: RetryAfterRecovery;
  beginning: BeginningRuns;
  startRun: StartRun;
}

export function createAsk(deps: AskDeps) {
  const { db, limits, billing, writtenConvos, beginning, startRun } = deps;
  return ask;

  async function ask(userId: string, input: AskInput, from: AskedFrom = {}): Promise<CreatedEvent> {
    try {
      if (!from.program) limits.assertClient?.(from.client ?? null);
      else if (!mayUseEndpoint(from.program, input.endpoint))
        refuse({ type: 'illegal_model_request', endpoint: input.endpoint, model: input.model ?? '' });
      return await askOnce(userId, input, from);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return existingOrRefuse(deps, userId, input, from, error);
    }
  }

  async function askOnce(userId: string, input: AskInput, from: AskedFrom): Promise<CreatedEvent> {
    const { client = null, callsUnasked = false, program } = from;
    const leave = await limits.counted?.enter(userId, input.generationId);
    try {
      // Before the transaction: counting limits and pricing the prompt take time.
      await limits.counted?.countMessage({ userId, client }, input.generationId);
      const { target, ...asked } = await resolveAsk(deps, userId, input);
      const ask = { ...asked, callsUnasked, apiKeyId: program?.keyId };
      const quoted = await billing.quote(userId, ask.endpoint.type, () => askedCharge(db.query, ask), program);
      // Inside the transaction both checks are exact: it holds a lock on the user's row.
      const reserve = quoted && ((tx: Tx) => billing.reserve(tx, quoted));
      const checks = { assertConcurrency: limits.assertConcurrency, reserve };
      return await beginning.hold([input.generationId], async () => {
        const result = await deps.retryAfterRecovery(() => beginExchange(db, ask, checks));
        if (result.written) writtenConvos.offer(result.written);
        if (result.isNew) startRun(ask, result, target);
        return result.created;
      });
    } finally {
      leave?.();
    }
  }
}
