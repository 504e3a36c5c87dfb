// What this domain needs of actions: they belong to assistants, and each change of one changes the assistant's tools.
import type { ActionSettings } from '@parley/schema/assistants/assistants';

/** An action without its secrets. */
export interface StoredAction {
  id: string;
  assistantId: string;
  /** The only host that is called. */
  domain: string;
  settings: ActionSettings;
}

export interface ActionStore {
  /** Those of one assistant, or all of the user. */
  list(userId: string, assistantId?: string): Promise<StoredAction[]>;
}

/** A server without actions. */
export const noActions: ActionStore = { list: async () => [] };
