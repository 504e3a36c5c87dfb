// Operations of an API, as they are read from its OpenAPI document. Types only.

export type ActionMethod = 'get' | 'post' | 'put' | 'delete' | 'patch';

export interface ActionOperation {
  /** Its `operationId`, or `{method}_{path}`, of letters, digits, - and _. Unique in its action. */
  name: string;
  method: ActionMethod;
  /** As in the document, with `{names}` for arguments. */
  path: string;
  description: string;
  /** JSON schema of an object: all arguments, without references and patterns. */
  parameters: Record<string, unknown>;
  /** Names of the arguments that are not part of the body. */
  pathArguments: string[];
  queryArguments: string[];
  headerArguments: string[];
  /** How the remaining arguments are sent; null when there is no body. */
  body: { type: 'json' | 'form'; /** The argument `body` is all of it. */ isWhole: boolean } | null;
}
