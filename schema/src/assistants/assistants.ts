// Assistants and their actions.
import type { EndpointType } from '../catalog/endpoints.ts';
import type { ActionOperation } from './operations.ts';

/**
 * As REST clients know it. The name of a function is that of an action's function, or the key of a tool of the list
 * (`ToolInfo.key`): of a built-in tool, a plugin, or an MCP server, which is chosen as one (`mcp:<server>`). Where an
 * assistant uses only some tools of a server, their names are in `parameters.tools` of its function.
 */
export type AssistantTool =
  | { type: 'code_interpreter' }
  | { type: 'retrieval' }
  | { type: 'function'; function: { name: string; description?: string; parameters?: Record<string, unknown> } };

export interface AssistantMetadata {
  /** Path of its image. */
  avatar?: string;
  avatar_source?: string;
  author?: string;
  /** Questions offered where a conversation begins. */
  conversation_starters?: string[];
}

/** A project, or a set of files, of which an assistant has all files. */
export interface FileSource {
  kind: 'folder' | 'set';
  id: string;
}

/** The endpoint types whose models can be asked with instructions and tools, and so answer for assistants. */
const ANSWERING: ReadonlySet<EndpointType> = new Set(['openAI', 'azureOpenAI', 'google', 'anthropic', 'custom']);

export function answersForAssistants(type: EndpointType): boolean {
  return ANSWERING.has(type);
}

/** An assistant as its user's clients know it. */
export interface Assistant {
  /** `asst_` and 24 letters or digits. */
  assistantId: string;
  /** The endpoint that answers; null for the operator's own key of assistants (ASSISTANTS_API_KEY). */
  endpoint: string | null;
  model: string;
  name: string | null;
  description: string | null;
  instructions: string | null;
  tools: AssistantTool[];
  /** Files that it may search or work with. */
  fileIds: string[];
  /** Of whose files of today it has all, too: its owner's own. */
  sources: FileSource[];
  metadata: AssistantMetadata;
  /** Everybody of the installation may use it. */
  isShared: boolean;
  /** Whether it gets the instructions that other people who use it have written for all of their chats. */
  knowsAsker: boolean;
  /** The name of its owner, on an assistant of another user only. */
  sharedBy?: string;
  createdAt: string;
  updatedAt: string;
}

/** Whether an assistant answers this person; `deleted` is one of their own that can still be restored. */
export type AssistantStatus =
  | { status: 'usable' | 'missing' }
  | { status: 'deleted'; name: string | null; /** Undoes it. */ deletionId: string };

/** What an operator may switch off, in the order of the form. */
const CAPABILITIES = ['code_interpreter', 'image_vision', 'retrieval', 'actions', 'tools'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** The statuses of runs in the protocol of assistants. Here nothing is `queued`: a run begins at once. */
export type RunStatus =
  | 'queued'
  | 'in_progress'
  | 'requires_action'
  | 'cancelling'
  | 'cancelled'
  | 'failed'
  | 'completed'
  | 'expired';

/** A generation as that protocol names it. */
export interface AssistantRun {
  /** `run_` and the id of the generation. */
  id: string;
  /** `thread_` and the id of the conversation. */
  threadId: string;
  status: RunStatus;
}

/** An action without its secrets. */
export interface ActionSettings {
  /** The OpenAPI document, where an earlier version saved it. */
  rawSpec?: string;
  privacyPolicyUrl: string | null;
  auth: ActionAuth;
  /** The document's title. */
  title: string;
  /** The address of the API, without a trailing slash: its first server. */
  server: string;
  /** Those that are on, as they were read from the document when it was saved. */
  operations: ActionOperation[];
  /** The names of those that a person chose; absent: all, at most 100. */
  chosen?: string[];
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
