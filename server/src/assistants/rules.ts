import type { Capability } from '@parley/schema/assistants/assistants';
import type { Config } from '../config/config.ts';
import { refuse } from '../platform/errors.ts';

/** What the operator sets for assistants. */
export interface AssistantRules {
  /** Only these are listed and answer; all when undefined. */
  supportedIds: readonly string[] | undefined;
  /** These are not. */
  excludedIds: readonly string[] | undefined;
  capabilities: readonly Capability[];
  /** The only models that may search files; all when undefined. */
  retrievalModels: readonly string[] | undefined;
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

/** @throws Refusal `builder_disabled` where the operator lets nobody make or change assistants */
export function assertBuilder({ config }: { config: Pick<Config, 'endpoints'> }): void {
  const { assistants } = config.endpoints;
  if (assistants.enabled && assistants.disableBuilder) refuse({ type: 'builder_disabled' });
}

/** Whether an assistant is one of those that the operator lets answer. */
export function isAllowed(id: string, { supportedIds, excludedIds }: AssistantRules): boolean {
  return supportedIds ? supportedIds.includes(id) : !excludedIds?.includes(id);
}
