// Tests of this room: tests/unit/actions, tests/integration/actions.

// Actions of assistants: APIs that an OpenAPI document describes.
import { randomUUID } from 'node:crypto';
import type { Db, Query } from '@parley/db/client';
import { actions, assistants } from '@parley/db/tables/assistants';
import { ActionInput, type GivenActionInput } from '@parley/schema/assistants/action-inputs';
import {
  SPEC_SENTENCES,
  SPECS_BYTES_MAX,
  type Action,
  type ActionWithDocument,
} from '@parley/schema/assistants/actions';
import type { ActionOperation } from '@parley/schema/assistants/operations';
import type { ActionSettings } from '@parley/schema/assistants/assistants';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import { refuse } from '../platform/errors.ts';
import { wireName } from './names.ts';
import { createActionSignIn } from './oauth.ts';
import { readSpec } from './documents/read-spec.ts';
import type { Choice } from './read-document.ts';
import {
  documentBytes,
  findAction,
  presentAction,
  readActions,
  readDocumentText,
  readServices,
  rowColumns,
  actionService,
  type ActionRow,
} from './rows.ts';
import {
  assertActionsOn,
  CALL_TIMEOUT_MS,
  forbiddenHost,
  runOperation,
  type OperationCall,
  type OperationResult,
} from './run-operation.ts';
import { encryptSecrets } from './secrets.ts';
import { createActionTokens } from './tokens.ts';
import { startUrl, type ServiceSignIn } from '../connections/sign-in.ts';
import { forgetConnection } from '../connections/tokens.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

export interface ActionsDeps extends CoreServices {
  egress: Egress;
  encryption: Encryption;
}

export interface Actions {
  /**
   * Creates an action, or replaces the one that the input names.
   * @throws Refusal `invalid_input` for a document that cannot be used or a missing secret; `not_found` for a missing
   *   assistant or action; `forbidden_base_url`; `conflict` when the assistant has too many, or the documents of the user
   *   are too long together
   */
  save(userId: string, assistantId: string, given: GivenActionInput): Promise<Action>;
  /**
   * Adds an action of an export under an id of its own: without its secrets, which no export has, so that it is refused
   * by its API until its owner enters them. `others` are columns that no client gives. Does nothing where it is known.
   * @throws Refusal as `save`
   */
  restore(userId: string, action: RestoredAction): Promise<'imported' | 'present'>;
  /** Deletes an action with its tokens. @throws Refusal `not_found` */
  remove(userId: string, assistantId: string, actionId: string): Promise<void>;
  /** The actions of a user, or of one assistant, the oldest first; without secrets and documents. */
  list(userId: string, assistantId?: string): Promise<Action[]>;
  /** One action, with its document. @throws Refusal `not_found` */
  get(userId: string, actionId: string): Promise<ActionWithDocument>;
  /** `{operationId}_action_{domain}` of each operation; Azure has the domain encoded. */
  toolNames(action: { domain: string; operations: readonly { name: string }[] }, isAzure?: boolean): string[];
  /** Calls an operation. */
  run(call: OperationCall): Promise<OperationResult>;
  /** Where a person signs in to an action. */
  signInUrl(actionId: string): string;
  signIn: ServiceSignIn;
}

export interface RestoredAction {
  id: string;
  assistantId: string;
  given: GivenActionInput;
  others: Partial<Omit<ActionRow, 'encrypted'>>;
}

const PER_ASSISTANT_MAX = 20;

/** @param timeoutMs of a call; 30 seconds when absent */
export function createActions(deps: ActionsDeps & { timeoutMs?: number }): Actions {
  const { config, db, egress, encryption, log, timeoutMs = CALL_TIMEOUT_MS } = deps;
  const tokens = createActionTokens(deps);
  const forget = (userId: string, id: string) => forgetConnection(db.query, { userId, service: actionService(id) });
  const { allowedDomains } = config.actions;
  return {
    async save(userId, assistantId, given) {
      const { actionId } = given;
      const former = actionId === undefined ? null : await findOf(db, userId, assistantId, actionId);
      const input = checkedInput(given, former);
      const { domain, settings } = await readInput(deps, userId, input, former);
      const owner = { userId, id: former?.id ?? randomUUID(), domain };
      const encrypted = encryptSecrets(encryption, owner, input, former);
      const action = { ...owner, assistantId, settings, encrypted, document: input.rawSpec };
      const row = await writeAction(db, action, former !== null);
      // Tokens that the former settings brought could be somebody else's.
      if (former && !isSameClient(former, row, input)) await forget(userId, row.id);
      return presentAction(row, await readServices(db, userId));
    },
    async restore(userId, { id, assistantId, given, others }) {
      const isKnown = and(eq(actions.userId, userId), eq(actions.id, id));
      if ((await db.query.$count(actions, isKnown)) > 0) return 'present';
      const input = checkedInput(given, null);
      const { domain, settings } = await readInput(deps, userId, input, null);
      const action = { userId, id, assistantId, domain, settings, encrypted: null, document: input.rawSpec };
      await writeAction(db, action, false, others);
      return 'imported';
    },
    async remove(userId, assistantId, actionId) {
      const row = await findOf(db, userId, assistantId, actionId);
      await db.query.delete(actions).where(and(eq(actions.userId, userId), eq(actions.id, row.id)));
      await forget(userId, row.id);
    },
    async list(userId, assistantId) {
      const [rows, services] = await Promise.all([readActions(db, userId, { assistantId }), readServices(db, userId)]);
      return rows.map((row) => presentAction(row, services));
    },
    async get(userId, actionId) {
      const row = await findAction(db, userId, actionId);
      const rawSpec = await readDocumentText(db, userId, actionId);
      return { ...presentAction(row, await readServices(db, userId)), rawSpec };
    },
    toolNames: ({ domain, operations }, isAzure) => operations.map((one) => wireName(one, domain, isAzure)),
    run: (call) => runOperation({ egress, encryption, log, tokens, timeoutMs, allowedDomains }, call),
    signInUrl: (actionId) => startUrl(config, actionService(actionId)),
    signIn: createActionSignIn({ ...deps, tokens }),
  };
}

/** @throws Refusal `not_found` */
export function findOperation({ settings }: ActionRow, name: string): ActionOperation {
  return settings.operations.find((one) => one.name === name) ?? refuse({ type: 'not_found', what: 'action' });
}

/** @throws Refusal `invalid_input` */
function checkedInput(given: GivenActionInput, former: ActionRow | null): ActionInput {
  const { data, error } = ActionInput.safeParse(given);
  if (!data) return refuse({ type: 'invalid_input', text: error.issues[0]?.message ?? 'The action is not valid' });
  const known = former?.settings.auth;
  if (data.auth.type !== 'oauth' || data.auth.grant !== undefined || known?.type !== 'oauth' || !known.grant)
    return data;
  return { ...data, auth: { ...data.auth, grant: known.grant } };
}

async function readInput(
  { config, egress }: ActionsDeps,
  userId: string,
  input: ActionInput,
  former: ActionRow | null,
): Promise<{ domain: string; settings: ActionSettings }> {
  assertActionsOn(config);
  const choice = choiceOf(input, former);
  const read = await readSpec(userId, input.rawSpec, choice);
  if (read.status !== 'valid') return refuse({ type: 'invalid_input', text: SPEC_SENTENCES[read.status] });
  const { domain, title, server, operations } = read;
  const forbidden = forbiddenHost({ domain, settings: { auth: input.auth } }, config.actions.allowedDomains);
  if (forbidden !== null) refuse({ type: 'invalid_input', text: `Calls of ${forbidden} are not allowed here` });
  egress.baseURLOf(server);
  if (input.auth.type === 'oauth') egress.baseURLOf(withoutQuery(input.auth.clientUrl));
  const { auth, privacyPolicyUrl = null } = input;
  const isChosen = operations.some(({ name }) => choice?.names.includes(name));
  const chosen = choice && isChosen && { chosen: [...choice.names] };
  return { domain, settings: { auth, privacyPolicyUrl, title, server, operations, ...chosen } };
}

/** What is chosen stays so by name when a document changes, and ends with a document that has none of it. */
function choiceOf({ operations }: ActionInput, former: ActionRow | null): Choice | null {
  if (operations !== undefined) return operations && { names: operations, orAll: false };
  const names = former?.settings.chosen;
  return names ? { names, orAll: true } : null;
}

function withoutQuery(address: string): string {
  const url = new URL(address);
  url.search = '';
  return url.href;
}

async function findOf(db: Db, userId: string, assistantId: string, actionId: string): Promise<ActionRow> {
  const row = await findAction(db, userId, actionId);
  return row.assistantId === assistantId ? row : refuse({ type: 'not_found', what: 'action' });
}

type NewAction = Pick<ActionRow, 'userId' | 'id' | 'assistantId' | 'domain' | 'settings' | 'encrypted'> & {
  document: string;
};

/** The person's actions are locked, so that two devices cannot pass a limit together. */
function writeAction(
  { query }: Db,
  action: NewAction,
  isKnown: boolean,
  others: RestoredAction['others'] = {},
): Promise<ActionRow> {
  const { userId, id, assistantId, domain, settings, encrypted, document } = action;
  return query.transaction(async (tx) => {
    const [assistant] = await tx
      .select({ id: assistants.id })
      .from(assistants)
      .where(and(eq(assistants.userId, userId), eq(assistants.id, assistantId), isNull(assistants.deletedAt)))
      .for('update');
    if (!assistant) refuse({ type: 'not_found', what: 'assistant' });
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('actions ' || ${userId}, 0))`);
    await assertRoom(tx, action);
    const ofAssistant = and(eq(actions.userId, userId), eq(actions.assistantId, assistantId));
    if (!isKnown && (await tx.$count(actions, ofAssistant)) >= PER_ASSISTANT_MAX)
      refuse({ type: 'conflict', text: `An assistant can have ${PER_ASSISTANT_MAX} actions` });
    const values = { domain, settings, encrypted, document, updatedAt: sql`now()` };
    const [row] = isKnown
      ? await tx
          .update(actions)
          .set(values)
          .where(and(ofAssistant, eq(actions.id, id)))
          .returning(rowColumns)
      : await tx
          .insert(actions)
          .values({ ...values, ...others, userId, id, assistantId, domain, settings })
          .returning(rowColumns);
    return row ?? refuse({ type: 'not_found', what: 'action' });
  });
}

/** @throws Refusal `conflict` */
async function assertRoom(query: Query, { userId, id, document }: NewAction): Promise<void> {
  if ((await documentBytes(query, userId, id)) + Buffer.byteLength(document) <= SPECS_BYTES_MAX) return;
  const text = `The OpenAPI documents of an account can have ${SPECS_BYTES_MAX / 1024 / 1024} MB together`;
  refuse({ type: 'conflict', text });
}

/** Whether tokens that were given to the former action are still good for this one. */
function isSameClient(former: ActionRow, row: ActionRow, input: ActionInput): boolean {
  const isNewClient = input.oauthClientId !== undefined || input.oauthClientSecret !== undefined;
  const isSameAuth = JSON.stringify(former.settings.auth) === JSON.stringify(row.settings.auth);
  return former.domain === row.domain && isSameAuth && !isNewClient;
}
