// Actions of assistants: with each change of one, the functions among the assistant's tools change.
import type { Db } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { ASSISTANT_TOOLS_MAX, type SaveAssistantAction } from '@parley/schema/assistants/assistant-inputs';
import type { Assistant, AssistantTool } from '@parley/schema/assistants/assistants';
import { sql } from 'drizzle-orm';
import type { Config } from '../config/config.ts';
import { nextChange } from '../convos/changes.ts';
import { refuse } from '../platform/errors.ts';
import type { ActionStore, StoredAction } from './action-store.ts';
import { assertAssistant, ownedBy, withFileIds } from './assistants.ts';

interface Dependencies {
  db: Db;
  config: Pick<Config, 'endpoints'>;
  actions: ActionStore;
}

export interface AssistantWithAction {
  assistant: Assistant;
  action: StoredAction;
  /** All actions of the assistant. */
  actions: StoredAction[];
}

/** Saves an action, and gives the assistant its functions. @throws Refusal `not_found`, `invalid_input`, `conflict` */
export async function saveAssistantAction(
  deps: Dependencies,
  userId: string,
  { assistantId, ...input }: SaveAssistantAction,
): Promise<AssistantWithAction> {
  await assertAssistant(deps.db.query, userId, assistantId);
  const former = await findAction(deps, userId, assistantId, input.actionId);
  const action = await deps.actions.save(userId, assistantId, input);
  const names = [...(former ? namesOf(deps, former) : []), ...namesOf(deps, action)];
  const assistant = await changeTools(deps.db, userId, assistantId, names, functionsOf(deps, action));
  return { assistant, action, actions: await deps.actions.list(userId, assistantId) };
}

/** Deletes an action, and takes its functions from the assistant. @throws Refusal `not_found` */
export async function removeAssistantAction(
  deps: Dependencies,
  userId: string,
  { assistantId, actionId }: { assistantId: string; actionId: string },
): Promise<Assistant> {
  await assertAssistant(deps.db.query, userId, assistantId);
  const former = await findAction(deps, userId, assistantId, actionId);
  if (!former) return refuse({ type: 'not_found', what: 'action' });
  await deps.actions.remove(userId, assistantId, actionId);
  return changeTools(deps.db, userId, assistantId, namesOf(deps, former), []);
}

async function findAction(
  { actions }: Dependencies,
  userId: string,
  assistantId: string,
  id: string | undefined,
): Promise<StoredAction | undefined> {
  return id === undefined ? undefined : (await actions.list(userId, assistantId)).find((one) => one.id === id);
}

function namesOf({ actions, config }: Dependencies, action: StoredAction): string[] {
  const { assistants: endpoint } = config.endpoints;
  return actions.toolNames(action, endpoint.enabled && endpoint.upstream.from === 'azure');
}

function functionsOf(deps: Dependencies, action: StoredAction): AssistantTool[] {
  const names = namesOf(deps, action);
  return action.operations.flatMap(({ description, parameters }, index) => {
    const name = names[index];
    return name === undefined ? [] : [{ type: 'function', function: { name, description, parameters } }];
  });
}

/** Replaces the functions of these names by others. */
function changeTools(
  { query }: Db,
  userId: string,
  assistantId: string,
  names: readonly string[],
  added: readonly AssistantTool[],
): Promise<Assistant> {
  return query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const { tools } = await assertAssistant(tx, userId, assistantId);
    const saved = tools.filter((tool) => tool.type !== 'function' || !names.includes(tool.function.name));
    const [row] = await tx
      .update(assistants)
      .set({ tools: [...saved, ...added].slice(0, ASSISTANT_TOOLS_MAX), changeSeq, updatedAt: sql`now()` })
      .where(ownedBy(userId, assistantId))
      .returning();
    return row ? withFileIds(tx, row) : refuse({ type: 'not_found', what: 'assistant' });
  });
}
