import type { Api } from '../router.ts';
import type { Refused } from './refused.ts';

/** One REST path: which procedure answers it, and where its refusals look different from the others'. */
export interface Row {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Whether visitors may call it. */
  isOpen: boolean;
  /** Gives a Response, or a value that becomes JSON with status 200. */
  handle(api: Api, call: Call): unknown;
  /** The answer to a refusal; null for the ordinary one. */
  refused(refused: Refused, call: Call): Response | null;
}

export interface Call<Params = Record<string, string>> {
  params: Params;
  query: URLSearchParams;
  /** As it came. Its type fits every procedure, because each checks its own input; nobody else may look into it. */
  body: never;
  /** Whose session it is; empty for a visitor. */
  userId: string;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
  /** For the log: a fault of ours that comes when the answer has begun. */
  report(error: unknown): void;
}

/** A path for who is signed in. `:name` in it becomes `params.name`. */
export function on<const Path extends string>(
  method: Row['method'],
  path: Path,
  handle: (api: Api, call: Call<ParamsOf<Path>>) => unknown,
  refused: Row['refused'] = () => null,
): Row {
  return { method, path, isOpen: false, handle, refused };
}

/** A path for everyone. */
export function open(
  method: Row['method'],
  path: string,
  handle: Row['handle'],
  refused: Row['refused'] = () => null,
): Row {
  return { method, path, isOpen: true, handle, refused };
}

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;
