// Assistants and their actions. Types only.

/** As REST clients know it. A function comes from a tool of the list, or from an action. */
export type AssistantTool =
  | { type: 'code_interpreter' }
  | { type: 'retrieval' }
  | { type: 'function'; function: { name: string; description?: string; parameters?: Record<string, unknown> } };

export interface AssistantMetadata {
  /** Path of its picture. */
  avatar?: string;
  avatar_source?: string;
  author?: string;
  /** Questions offered where a conversation begins. */
  conversation_starters?: string[];
}

/** An action without its secrets. */
export interface ActionSettings {
  /** The OpenAPI document as it was given, JSON or YAML. */
  rawSpec: string;
  privacyPolicyUrl: string | null;
  auth: ActionAuth;
}

export type ActionAuth =
  | { type: 'none' }
  | { type: 'service_http'; authorizationType: 'basic' | 'bearer' | 'custom'; customAuthHeader: string | null }
  | {
      type: 'oauth';
      clientUrl: string;
      authorizationUrl: string;
      scope: string;
      tokenExchangeMethod: 'default_post' | 'basic_auth_header';
    };
