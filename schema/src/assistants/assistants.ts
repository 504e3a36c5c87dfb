// Assistants and their actions. Types only.
import type { ActionOperation } from './operations.ts';

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
  /** The document's title. */
  title: string;
  /** The address of the API, without a trailing slash: its first server. */
  server: string;
  /** As they were read from the document when it was saved. */
  operations: ActionOperation[];
}

export type ActionAuth =
  | { type: 'none' }
  | { type: 'service_http'; authorizationType: 'basic' | 'bearer' | 'custom'; customAuthHeader: string | null }
  | {
      type: 'oauth';
      /** Where tokens are requested. */
      clientUrl: string;
      /** Where a person signs in. */
      authorizationUrl: string;
      scope: string;
      tokenExchangeMethod: 'default_post' | 'basic_auth_header';
      /** As the application itself, or as a person who signs in; the former when absent. */
      grant?: 'client_credentials' | 'authorization_code' | undefined;
    };
