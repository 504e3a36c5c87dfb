// Begins a call: all that may refuse it is exact here, in one transaction, and one statement where nothing may.
import type { Db, Query, Tx } from '@parley/db/client';
import { apiKeys, users } from '@parley/db/tables/users';
import { isActive, withUserLock } from '@parley/db/user-rows';
import { sql } from 'drizzle-orm';
import type { AskLimits } from '../../abuse/ask-limits.ts';
import { isLiveKey } from '../../api-keys/key-holders.ts';
import type { Billing } from '../../billing/billing.ts';
import type { Reservation } from '../../billing/reservation.ts';
import { expectedUsage } from '../../billing/usage.ts';
import { NEW_LEASE } from '../begin/beginning-runs.ts';
import { permitFor } from '../begin/permit.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import type { ApiCall } from './api-call.ts';

export interface BeginDeps {
  db: Db;
  owner: string;
  limits: AskLimits;
  billing: Billing;
}

/**
 * Returns what was set aside for it; null where nothing limits it.
 * @throws Refusal for what its person, its key or the limits do not allow
 */
export async function beginCall({ db, owner, limits, billing }: BeginDeps, call: ApiCall): Promise<Reservation | null> {
  const { kind, holder, client, charge } = call;
  const isMessage = kind === 'api';
  if (isMessage) await limits.counted?.countMessage({ userId: holder.userId, client }, call.id);
  const key = holder.keyId === null ? null : holder;
  const quoted = await billing.quote(charge.userId, charge.endpointType, () => charge, key);
  const counted = isMessage ? limits : { assertConcurrency: null };
  const permit = permitFor({ limits: counted, billing }, holder.userId, [quoted]);
  if (!permit) {
    await insertCall(db.query, owner, call, null);
    return null;
  }
  return withUserLock(db.query, holder.userId, async (tx) => {
    const [reserved = null] = await permit(tx);
    if (reserved instanceof Refusal) throw reserved;
    await insertCall(tx, owner, call, reserved);
    return reserved;
  });
}

/** @throws Refusal `unauthorized` when the key or its person has ended meanwhile */
async function insertCall(
  query: Query | Tx,
  owner: string,
  call: ApiCall,
  reserved: Reservation | null,
): Promise<void> {
  const { id, kind, holder, endpoint, model, charge } = call;
  const isHeld =
    holder.keyId === null
      ? sql`from ${users} where ${users.id} = ${holder.userId} and ${isActive}`
      : sql`from ${apiKeys} join ${users} on ${users.id} = ${apiKeys.userId}
    where ${apiKeys.userId} = ${holder.userId} and ${apiKeys.id} = ${holder.keyId} and ${isLiveKey} and ${isActive}`;
  // The table asks for these of every kind that is older than speech and is no call of a program.
  const ownId = kind === 'speech' ? id : null;
  const usage = reserved && expectedUsage(charge.rates, reserved);
  const rows = await query.execute(sql`
    insert into generations (id, user_id, convo_id, request_id, reply_id, kind, endpoint, model, owner, lease_until, usage, reservation, budgeted, api_key_id, credits)
    select ${id}::uuid, ${users.id}, ${ownId}::uuid, ${ownId}::uuid, ${ownId}::uuid, ${kind}, ${endpoint}, ${model}, ${owner}::uuid,
      ${NEW_LEASE}, ${usage && JSON.stringify(usage)}::jsonb,
      ${reserved?.isOfBalance ? reserved.credits : null}::bigint,
      ${reserved?.isOfBudget ? reserved.credits : null}::bigint, ${holder.keyId}::uuid, ${reserved?.ofKey ? reserved.credits : null}::bigint
    ${isHeld}
    returning id`);
  if (rows.length === 0) refuse({ type: 'unauthorized' });
}
