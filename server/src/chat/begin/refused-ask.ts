// What happens to a refused ask: it is counted, and stored in its conversation for clients that lose what is not stored.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Reason } from '@parley/schema/reasons';
import { ZodError } from 'zod';
import { recordIfViolation } from '../../abuse/violation-error.ts';
import type { Violations } from '../../abuse/violations.ts';
import type { KeyHolder } from '../../platform/requests/key-holder.ts';
import type { Endpoints } from '../../catalog/endpoint.ts';
import type { Client } from '../../platform/requests/client.ts';
import { Refusal } from '../../platform/errors.ts';
import { nextChange } from '../../convos/changes.ts';
import { touchMessages } from '../../convos/rows.ts';
import { ownFolder } from '../../folders/folders.ts';
import type { Ask } from './ask.ts';
import { unresolvedAsk } from './resolve-asks.ts';
import { findExisting } from './existing-asks.ts';
import { writeMessages } from './write-messages.ts';

/** Lists what a refusal depends on beside the ask. */
export interface RefusableClient {
  /** Names the client, if it is not Parley's own. */
  client?: Client | undefined;
  /** Names a program's key: a program need not be a browser, and its refusals are not its person's violations. */
  program?: KeyHolder | undefined;
  /** Nobody has pressed anything: a clock asks, and its refusals are not its person's violations. */
  isUnattended?: boolean | undefined;
  /** Says whether to store a temporary refusal in the conversation as well. */
  keepsRefused?: boolean | undefined;
  /** Says when the user's key expires, as far as the client knows. */
  keyExpiresAt?: string | undefined;
}

export interface RefusalDeps {
  db: Db;
  owner: string;
  endpoints: Endpoints;
  violations: Violations;
}

/** Temporary refusals and those about a key. Nothing is stored for a bad request or a banned user. */
const STORED: ReadonlySet<Reason['type']> = new Set([
  'concurrent',
  'message_limit',
  'token_balance',
  'budget',
  'credits_reserved',
  'moderation',
  'no_user_key',
  'invalid_user_key',
  'expired_user_key',
  'no_base_url',
  'forbidden_base_url',
]);

/**
 * Counts the refusal of asks, stores it where the client wants that, and throws it.
 * @throws Refusal with the user's score, where it is a violation
 */
export async function refuseAsk(
  deps: RefusalDeps,
  userId: string,
  inputs: readonly AskInput[],
  { client, program, isUnattended, keepsRefused, keyExpiresAt }: RefusableClient,
  error: Refusal,
): Promise<never> {
  const asker = { userId, ip: client?.ip ?? null };
  const refused = withExpiry(error, keyExpiresAt);
  const refusal = program || isUnattended ? refused : await recordIfViolation(deps.violations, asker, refused);
  for (const input of keepsRefused ? inputs : []) await persistRefusal(deps, userId, input, refusal);
  throw refusal;
}

/**
 * Expired keys are erased. Clients of the REST API send when the key that they saved expires, so it is they who still
 * know why there is none.
 */
function withExpiry(refusal: Refusal, keyExpiresAt: string | undefined): Refusal {
  const { reason } = refusal;
  const expiry = new Date(keyExpiresAt ?? NaN);
  if (reason.type !== 'no_user_key' || !(expiry.getTime() <= Date.now())) return refusal;
  return new Refusal({ type: 'expired_user_key', endpoint: reason.endpoint, expiredAt: expiry.toISOString() });
}

/**
 * Says whether to store a refused ask: it needs an existing parent message, and a reply to be continued stays as it is.
 * A first question is stored only where credits are missing (docs/rest-compat.md, Errors in streams).
 */
function isStored({ target }: Pick<AskInput, 'target'>, reason: Reason): boolean {
  if (isFirst(target)) return reason.type === 'token_balance';
  return target.kind !== 'continue' && target.kind !== 'resume' && STORED.has(reason.type);
}

function isFirst(target: AskInput['target']): boolean {
  return target.kind === 'send' && target.parentMessageId === null;
}

/**
 * Stores a refused ask in its conversation. If that fails, the ask is still refused for its first reason. A counted
 * refusal is stored with its count, so that later readers see the same.
 */
async function persistRefusal(
  deps: RefusalDeps,
  userId: string,
  input: AskInput,
  { reason, violation }: Refusal,
): Promise<void> {
  if (!isStored(input, reason)) return;
  const isCounted = reason.type === 'concurrent' || reason.type === 'message_limit';
  const stored = isCounted && violation ? { ...reason, violation } : reason;
  try {
    await storeRefused(deps.db, unresolvedAsk(deps, userId, input), new Refusal(stored));
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof ZodError)) throw error;
  }
}

/**
 * Writes the question, unless it exists, and a reply that has failed. Both have the ask's ids: a repeat is stored once,
 * and reused when it is accepted.
 * @throws Refusal `not_found` or `conflict`: then nothing is written
 */
async function storeRefused(db: Db, ask: Ask, refused: Refusal): Promise<void> {
  const { userId, input } = ask;
  await db.query.transaction(async (tx) => {
    if (!(isFirst(input.target) && (await openConvo(tx, ask)))) await touchMessages(tx, userId, input.conversationId);
    // Another process may have begun it meanwhile.
    if (!(await findExisting(tx, userId, [input]))) await writeMessages(tx, [{ ask, refused }]);
  });
}

/** False when the conversation exists. */
async function openConvo(tx: Tx, { userId, input, endpoint, model, settings }: Ask): Promise<boolean> {
  const changeSeq = await nextChange(tx, userId);
  const opened = await tx
    .insert(convos)
    .values({
      userId,
      id: input.conversationId,
      endpoint: endpoint.name,
      endpointType: endpoint.type,
      model,
      settings,
      folderId: ownFolder(userId, input.folderId),
      changeSeq,
      messagesSeq: changeSeq,
    })
    .onConflictDoNothing()
    .returning({ id: convos.id });
  return opened.length > 0;
}
