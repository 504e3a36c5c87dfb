// Begins a call: all that may refuse it is exact here, in one transaction, and one statement where nothing may.
import type { Db, Query, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { apiKeys, users } from '@parley/db/tables/users';
import { isActive, lockUser } from '@parley/db/user-rows';
import { creditsFor } from '@parley/schema/catalog/rates';
import { replyReserveOf } from '@parley/schema/catalog/windows';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { AskLimits } from '../../abuse/ask-limits.ts';
import { MONTH_START } from '../../api-keys/api-keys.ts';
import { isLiveKey, type KeyHolder } from '../../api-keys/key-holders.ts';
import type { Billing } from '../../billing/billing.ts';
import { pricedAt } from '../../billing/usage.ts';
import { LEASE_SECONDS } from '../log-store.ts';
import { refuse } from '../../platform/errors.ts';
import { KeySpent } from './key-spent.ts';
import type { ApiCall, Begun } from './api-call.ts';

export interface BeginDeps {
  db: Db;
  owner: string;
  limits: AskLimits;
  billing: Billing;
}

/** @throws Refusal for what its person, its key or the limits do not allow */
export async function beginCall({ db, owner, limits, billing }: BeginDeps, call: ApiCall): Promise<Begun> {
  const { holder, client, charge } = call;
  await limits.counted?.countMessage({ userId: holder.userId, client }, call.id);
  const reserve = await billing.quote(charge.userId, charge.endpointType, () => charge);
  const askKey = holder.monthlyCredits === null ? null : await quoteKey(call);
  const { assertConcurrency } = limits;
  if (!reserve && !askKey && !assertConcurrency) {
    await insertCall(db.query, owner, call, { reserved: null, ofKey: null });
    return { reserved: null, ofKey: null };
  }
  return db.query.transaction(async (tx) => {
    await lockUser(tx, holder.userId);
    await assertConcurrency?.(tx, holder.userId);
    const ofKey = askKey && (await askKey(tx));
    const reserved = reserve && (await reserve(tx));
    await insertCall(tx, owner, call, { reserved, ofKey });
    return { reserved, ofKey };
  });
}

/** Sets aside what the call may cost, of what its key has left in this month. */
async function quoteKey(call: ApiCall): Promise<(tx: Tx) => Promise<NonNullable<Begun['ofKey']>>> {
  const { charge, rates, holder } = call;
  const promptTokens = await charge.countPromptTokens();
  const promptCost = creditsFor(promptTokens, rates.prompt);
  const reserve = replyReserveOf(charge.endpointType, charge.model, charge.settings);
  const most = promptCost + creditsFor(reserve, rates.completion);
  return async (tx) => {
    const left = await lockLeftOfKey(tx, holder);
    if (left < promptCost || (left === 0 && most > 0))
      throw new KeySpent(holder.monthlyCredits ?? 0, { balance: left, promptTokens, tokenCost: promptCost });
    return { credits: Math.min(left, most), promptTokens };
  };
}

/** Locks the key until the transaction ends. */
async function lockLeftOfKey(tx: Tx, { userId, keyId }: KeyHolder): Promise<number> {
  const [key] = await tx
    .select({ most: apiKeys.monthlyCredits })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), eq(apiKeys.id, keyId)))
    .for('update');
  const [month] = await tx
    .select({ spent: sql<number>`coalesce(sum(${generations.credits}), 0)::float8` })
    .from(generations)
    .where(and(eq(generations.apiKeyId, keyId), sql`${generations.createdAt} >= ${MONTH_START}`));
  return Math.max(0, (key?.most ?? 0) - (month?.spent ?? 0));
}

/** Sets up to so many credits more aside for a call that runs, and returns how many. */
export function extendOfKey({ query }: Pick<Db, 'query'>, { id, holder }: ApiCall, wanted: number): Promise<number> {
  return query.transaction(async (tx) => {
    const more = Math.min(wanted, await lockLeftOfKey(tx, holder));
    if (more <= 0) return 0;
    const extended = await tx
      .update(generations)
      .set({ credits: sql`${generations.credits} + ${more}` })
      .where(and(eq(generations.id, id), isNull(generations.endedAt), isNotNull(generations.credits)))
      .returning({ id: generations.id });
    return extended.length > 0 ? more : 0;
  });
}

/** @throws Refusal `unauthorized` when the key or its person has ended meanwhile */
async function insertCall(query: Query | Tx, owner: string, call: ApiCall, { reserved, ofKey }: Begun): Promise<void> {
  const { id, holder, endpoint, model, charge } = call;
  const promptTokens = (reserved ?? ofKey)?.promptTokens;
  const usage =
    promptTokens === undefined ? null : pricedAt(charge.rates, { input: promptTokens, output: 0, estimated: true });
  const rows = await query.execute(sql`
    insert into generations (id, user_id, convo_id, request_id, reply_id, kind, endpoint, model, owner, lease_until,
      usage, reservation, budgeted, api_key_id, credits)
    select ${id}::uuid, ${apiKeys.userId}, ${id}::uuid, ${id}::uuid, ${id}::uuid, 'api', ${endpoint}, ${model}, ${owner}::uuid,
      now() + make_interval(secs => ${LEASE_SECONDS}), ${usage && JSON.stringify(usage)}::jsonb,
      ${reserved?.isOfBalance ? reserved.credits : null}::bigint,
      ${reserved?.isOfBudget ? reserved.credits : null}::bigint, ${apiKeys.id}, ${ofKey?.credits ?? null}::bigint
    from ${apiKeys} join ${users} on ${users.id} = ${apiKeys.userId}
    where ${apiKeys.userId} = ${holder.userId} and ${apiKeys.id} = ${holder.keyId} and ${isLiveKey} and ${isActive}
    returning id`);
  if (rows.length === 0) refuse({ type: 'unauthorized' });
}
