// Asks several models the same question: each answers below it by a run of its own, and sees its own branch.
import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { AskInput } from '@parley/schema/chat/ask';
import type { AskManyInput } from '@parley/schema/chat/ask-many';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { recordIfViolation } from '../../abuse/violation-error.ts';
import { Refusal } from '../../platform/errors.ts';
import type { ProviderTarget } from '../../providers/provider.ts';
import type { AskDeps, AskedFrom } from '../ask.ts';
import type { Ask } from '../ask-messages.ts';
import { resolveAsk } from '../begin/resolve-ask.ts';
import { askedCharge } from '../chargeable.ts';
import { beginMany, type AskedColumn } from './begin-many.ts';
import { findExistingColumns } from './existing-columns.ts';

type From = Pick<AskedFrom, 'client'>;

interface ResolvedColumn extends AskedColumn {
  target: ProviderTarget | null;
}

export function createAskMany(deps: AskDeps) {
  const { db, limits, beginning, startRun } = deps;
  return askMany;

  async function askMany(userId: string, input: AskManyInput, { client }: From = {}): Promise<CreatedEvent[]> {
    const asks = asksOf(input);
    try {
      limits.assertClient?.(client ?? null);
      return await askOnce(userId, asks, client);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const existing = await findExistingColumns(db.query, userId, asks);
      if (existing) return existing;
      throw await recordIfViolation(deps.violations, { userId, ip: client?.ip ?? null }, error);
    }
  }

  async function askOnce(userId: string, asks: AskInput[], client: From['client']): Promise<CreatedEvent[]> {
    const first = asks[0]?.generationId ?? '';
    const leave = await limits.counted?.enter(userId, first);
    try {
      // Before the transaction: counting limits and pricing the prompts take time.
      await limits.counted?.countMessage({ userId, client: client ?? null }, first, asks.length);
      const columns = await Promise.all(asks.map((ask) => resolveColumn(userId, ask)));
      const ids = asks.map(({ generationId }) => generationId);
      const results = await beginning.hold(ids, () => beginAndStart(userId, columns));
      await recordRefused(
        columns,
        results.some(({ isNew }) => isNew),
        client,
      );
      return results.map(({ created }) => created);
    } finally {
      leave?.();
    }
  }

  async function beginAndStart(userId: string, columns: readonly ResolvedColumn[]) {
    const checks = { assertConcurrency: limits.assertConcurrency, reserveEach: deps.billing.reserveEach };
    const begin = () => beginMany(db, userId, columns, checks);
    const results = await deps.retryAfterRecovery(begin);
    for (const [place, { ask, target }] of columns.entries()) {
      const result = results[place];
      if (target && result?.isNew) startRun(ask, result, target);
    }
    return results;
  }

  /** What refuses one of them does not refuse the others. */
  async function resolveColumn(userId: string, input: AskInput): Promise<ResolvedColumn> {
    try {
      const { target, ...asked } = await resolveAsk(deps, userId, input);
      const ask = { ...asked, callsUnasked: false };
      const quoted = await deps.billing.quote(userId, ask.endpoint.type, () => askedCharge(db.query, ask));
      return { ask, target, quoted, refusal: null };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ask: refusedAsk(userId, input), target: null, quoted: null, refusal: error };
    }
  }

  /** @throws Refusal where there is no such endpoint: its reply could not be shown */
  function refusedAsk(userId: string, input: AskInput): Ask {
    const endpoint = deps.endpoints.assert(input.endpoint);
    const model = input.model ?? endpointTable[endpoint.type].defaultModel;
    // No provider is called.
    const unneeded = { metadata: {}, settings: {}, kept: null, assistant: null, callsUnasked: false };
    return { userId, owner: deps.owner, input, endpoint, model, ...unneeded };
  }

  async function recordRefused(columns: readonly ResolvedColumn[], isNew: boolean, client: From['client']) {
    for (const { ask, refusal } of isNew ? columns : [])
      if (refusal) await recordIfViolation(deps.violations, { userId: ask.userId, ip: client?.ip ?? null }, refusal);
  }
}

function asksOf({ conversationId, folderId, isTemporary, asks }: AskManyInput): AskInput[] {
  return asks.map((ask) => ({ ...ask, conversationId, folderId, isTemporary }));
}
