// Tests of this room: tests/unit/assistants, tests/integration/assistants, tests/e2e/assistants.

// What this domain needs of actions.
import type { SavedActionInput } from '@parley/schema/assistants/assistant-inputs';
import type { ActionAuth } from '@parley/schema/assistants/assistants';

/** An action without its secrets and its document. */
export interface StoredAction {
  id: string;
  assistantId: string;
  /** The only host that is called. */
  domain: string;
  privacyPolicyUrl: string | null;
  auth: ActionAuth;
  /** Those that are on. */
  operations: { name: string; description: string; parameters: Record<string, unknown> }[];
  createdAt: string;
  updatedAt: string;
}

export interface ActionStore {
  /** Those of one assistant, or all of the user, the oldest first. */
  list(userId: string, assistantId?: string): Promise<StoredAction[]>;
  /** Creates an action, or replaces the one that the input names. @throws Refusal `invalid_input` or `not_found` */
  save(userId: string, assistantId: string, input: SavedActionInput): Promise<StoredAction>;
  /** @throws Refusal `not_found` */
  remove(userId: string, assistantId: string, actionId: string): Promise<void>;
  /** The names of its functions, in the order of its operations; Azure has the domain encoded. */
  toolNames(action: Pick<StoredAction, 'domain' | 'operations'>, isAzure?: boolean): string[];
}
