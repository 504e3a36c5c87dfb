// The types of the REST route table.
import type { Api } from '../router.ts';
import type { RefusedRequest } from './errors.ts';

/** One REST route: the procedure that handles it, and where its errors differ from the default. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Whether it needs no session. */
  isPublic: boolean;
  /** Whether it is also for a session that may only add a second factor. */
  isForLimited?: boolean;
  /** Whether its body may hold an OpenAPI document. */
  takesDocument?: boolean;
  /** Returns a Response, or a value to send as JSON with status 200. */
  handle(api: Api, call: Call): unknown;
  /** The response to a refusal; null for the default. */
  refused(refused: RefusedRequest, call: Call): Response | null;
}

export interface Call<Params = Record<string, string>> {
  params: Params;
  query: URLSearchParams;
  /**
   * The unvalidated body. Its type fits every procedure, because each validates its own input; nothing else may read
   * it.
   */
  body: never;
  /** The user's id; empty without a session. */
  userId: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Logs an internal error that occurs after the response has begun. */
  report(error: unknown): void;
}

/** A route that needs a session. `:name` in the path becomes `params.name`. */
export function authed<const Path extends string>(
  method: Route['method'],
  path: Path,
  handle: (api: Api, call: Call<ParamsOf<Path>>) => unknown,
  refused: Route['refused'] = () => null,
): Route {
  return { method, path, isPublic: false, handle, refused };
}

/** A public route. */
export function public_(
  method: Route['method'],
  path: string,
  handle: Route['handle'],
  refused: Route['refused'] = () => null,
): Route {
  return { method, path, isPublic: true, handle, refused };
}

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;
