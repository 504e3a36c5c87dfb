import type { Capability } from '@parley/schema/assistants/assistants';
import type { Config } from '../config.ts';

/** What the operator sets for assistants. */
export interface AssistantRules {
  /** Only these are listed and answer; all when undefined. */
  supportedIds: readonly string[] | undefined;
  /** These are not. */
  excludedIds: readonly string[] | undefined;
  capabilities: readonly Capability[];
  /** The models that may search files. */
  retrievalModels: readonly string[];
  /** Whether an assistant may be shared with everybody of the installation. */
  allowsSharing: boolean;
}

/** Where the endpoint is off, assistants can be kept but not asked. */
export function assistantRules({ endpoints, accounts }: Pick<Config, 'endpoints' | 'accounts'>): AssistantRules {
  const { assistants } = endpoints;
  const allowsSharing = accounts.allowSharedAssistants;
  if (!assistants.enabled)
    return { supportedIds: undefined, excludedIds: undefined, capabilities: [], retrievalModels: [], allowsSharing };
  const { supportedIds, excludedIds, capabilities, retrievalModels } = assistants;
  return { supportedIds, excludedIds, capabilities, retrievalModels, allowsSharing };
}

/** Whether an assistant is one of those that the operator lets answer. */
export function isAllowed(id: string, { supportedIds, excludedIds }: AssistantRules): boolean {
  return supportedIds ? supportedIds.includes(id) : !excludedIds?.includes(id);
}
