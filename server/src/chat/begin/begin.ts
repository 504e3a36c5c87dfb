// Begins asks: one exchange, or a question to several models, whose answers stand side by side. They are checked, counted
// and priced, then written in one transaction, and only then are the providers called.
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent } from '@parley/schema/generation/events';
import type { AskLimits } from '../../abuse/ask-limits.ts';
import { recordIfViolation } from '../../abuse/violation-error.ts';
import { mayUseEndpoint } from '../../api-keys/key-holders.ts';
import type { WrittenConvos } from '../../convos/written-convos.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import type { RetryAfterRecovery } from '../retry-after-recovery.ts';
import type { StartRun } from '../run.ts';
import type { BeginningRuns } from './beginning-runs.ts';
import { findExisting } from './existing-asks.ts';
import { permitFor } from './permit.ts';
import { refuseAsk, type RefusableClient, type RefusalDeps } from './refused-ask.ts';
import { resolveAsks, type ResolveDeps, type ResolvedAsk, type ResolvedFor } from './resolve-asks.ts';
import { writeAsks } from './write-asks.ts';

export interface AskedFrom extends RefusableClient, ResolvedFor {}

export interface BeginDeps extends ResolveDeps, RefusalDeps {
  limits: AskLimits;
  writtenConvos: WrittenConvos;
  retryAfterRecovery: RetryAfterRecovery;
  beginning: BeginningRuns;
  startRun: StartRun;
}

export type Begin = (userId: string, inputs: readonly AskInput[], from?: AskedFrom) => Promise<CreatedEvent[]>;

/**
 * Idempotent: the same ids again return the first result. What refuses one of several asks leaves the others: its reply
 * has failed when it is written. Only where every ask is refused does `begin` throw.
 */
export function createBegin(deps: BeginDeps): Begin {
  const { db, limits, writtenConvos, beginning, startRun, violations } = deps;
  return begin;

  async function begin(userId: string, inputs: readonly AskInput[], from: AskedFrom = {}): Promise<CreatedEvent[]> {
    try {
      assertAllowed(limits, inputs, from);
      return await beginOnce(userId, inputs, from);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return (await findExisting(db.query, userId, inputs)) ?? refuseAsk(deps, userId, inputs, from, error);
    }
  }

  async function beginOnce(userId: string, inputs: readonly AskInput[], from: AskedFrom): Promise<CreatedEvent[]> {
    const ids = inputs.map(({ generationId }) => generationId);
    const [first = ''] = ids;
    const leave = await limits.counted?.enter(userId, first);
    try {
      // Before the transaction: counting limits and pricing the prompts take time.
      await limits.counted?.countMessage({ userId, client: from.client ?? null }, first, ids.length);
      const asks = await resolveAsks(deps, userId, inputs, from);
      const results = await beginning.hold(ids, () => writeAndStart(userId, asks));
      const by = { userId, ip: from.client?.ip ?? null };
      if (results.some(({ isNew }) => isNew))
        for (const { refusal } of asks) if (refusal) await recordIfViolation(violations, by, refusal);
      return results.map(({ created }) => created);
    } finally {
      leave?.();
    }
  }

  async function writeAndStart(userId: string, asks: readonly ResolvedAsk[]) {
    const quotes = asks.flatMap(({ quoted, refusal }) => (refusal ? [] : [quoted]));
    const permit = permitFor(deps, userId, quotes);
    const results = await deps.retryAfterRecovery(() => writeAsks(db, userId, asks, permit));
    for (const [place, { ask, target }] of asks.entries()) {
      const result = results[place];
      if (result?.written) writtenConvos.offer(result.written);
      if (target && result?.isNew) startRun(ask, result, target);
    }
    return results;
  }
}

/** @throws Refusal for a client that is no browser, or for an endpoint that the key of a program may not use */
function assertAllowed(
  { assertClient }: Pick<AskLimits, 'assertClient'>,
  inputs: readonly AskInput[],
  { client, program }: AskedFrom,
): void {
  if (!program) return assertClient?.(client ?? null);
  const forbidden = inputs.find(({ endpoint }) => !mayUseEndpoint(program, endpoint));
  if (forbidden) refuse({ type: 'illegal_model_request', endpoint: forbidden.endpoint, model: forbidden.model ?? '' });
}
