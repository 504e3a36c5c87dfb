// Actions as the editor and the server share them: operations of an API that an OpenAPI document describes.
import type { ActionAuth } from './assistants.ts';
import type { ActionOperation } from './operations.ts';

/** What reading an OpenAPI document comes to. */
export type SpecStatus = 'valid' | 'unreadable' | 'no_url' | 'no_paths' | 'too_long' | 'too_complex';

export const SPEC_BYTES_MAX = 512 * 1024;
export const SPEC_OPERATIONS_MAX = 100;
/** Schemas of a document, counted each time that they are referred to. */
export const SPEC_NODES_MAX = 20_000;

/** In English, for REST clients and logs. */
export const SPEC_SENTENCES: Readonly<Record<SpecStatus, string>> = {
  valid: 'OpenAPI spec is valid.',
  unreadable: 'Error parsing OpenAPI spec.',
  no_url: 'Could not find a valid URL in `servers`',
  no_paths: 'No paths found in the OpenAPI spec.',
  too_long: `The OpenAPI spec is longer than ${SPEC_BYTES_MAX / 1024} kB.`,
  too_complex: 'The schemas of the OpenAPI spec are too large.',
};

/** A document as the editor shows it. */
export interface ParsedSpec {
  status: SpecStatus;
  /** The host that is called; null unless the document is valid. */
  domain: string | null;
  title: string;
  operations: Pick<ActionOperation, 'name' | 'method' | 'path'>[];
  /** English sentences, such as `Reference #/components/schemas/Pet not found`. */
  warnings: string[];
}

/** A saved action; secrets are never part of it. */
export interface Action {
  id: string;
  assistantId: string;
  domain: string;
  title: string;
  rawSpec: string;
  privacyPolicyUrl: string | null;
  auth: ActionAuth;
  operations: ActionOperation[];
  /** Whether its key, or its OAuth client, is saved. */
  hasSecrets: boolean;
  /** Whether its user has signed in to it; false where nobody signs in. */
  isSignedIn: boolean;
  createdAt: string;
  updatedAt: string;
}

/** One operation that was called from the editor. */
export interface TriedOperation {
  /** What was sent, without secrets; null when nothing was. */
  request: { method: string; url: string; headers: Record<string, string>; body: string | null } | null;
  /** What came back; null when nothing did. */
  reply: { status: number; contentType: string; text: string; isCut: boolean } | null;
  /** Why there is no reply, as an English sentence. */
  problem: string | null;
  /** Where the user has to sign in first. */
  signInUrl: string | null;
}
