// The types of the REST route table.
import type { ApiScope } from '@parley/schema/accounts/api-key-rules';
import type * as z from 'zod';
import type { Api } from '../router.ts';
import type { RefusedRequest } from './errors.ts';

/** What the OpenAPI document says of a route (`openapi/rest-document.ts`). */
export interface RouteDoc {
  summary: string;
  description?: string;
  /** Its parameters in the query, by name; each may be left out. */
  query?: Readonly<Record<string, string>>;
  /** The body that it takes, as JSON or as a form. */
  body?: z.ZodType;
  /** What it answers, by status, beside what every route may answer. */
  answers: Readonly<Record<number, Answer>>;
}

/** The words of a JSON answer, or of one of another type; null for one without a body. */
export type Answer = string | { says: string; type: 'text/plain' | 'text/event-stream' | null };

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
  /** What a person's key must be for to open it; without it no key does. */
  keyScope?: ApiScope;
  /** Whether it asks a model. */
  isAsk?: boolean;
  doc: RouteDoc;
  /** Returns a Response, or a value to send as JSON with status 200. */
  handle(api: Api, call: Call): unknown;
  /** The response to a refusal; null for the default. */
  refused?(refused: RefusedRequest, call: Pick<Call, 'query'>): Response | null;
}

export type Refused = NonNullable<Route['refused']>;

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

type Options = RouteDoc & Pick<Route, 'isForLimited' | 'takesDocument' | 'keyScope' | 'isAsk' | 'refused'>;

/** A route that needs a session. `:name` in the path becomes `params.name`. */
export function authed<const Path extends string>(
  method: Route['method'],
  path: Path,
  handle: (api: Api, call: Call<ParamsOf<Path>>) => unknown,
  options: Options,
): Route {
  return routeOf({ method, path, isPublic: false, handle }, options);
}

/** A public route. */
export function public_(method: Route['method'], path: string, handle: Route['handle'], options: Options): Route {
  return routeOf({ method, path, isPublic: true, handle }, options);
}

/** What opens to keys of programs that are for it. */
export const byKey = { keyScope: 'rest' } as const;
/** The same for what asks a model. */
export const askByKey = { ...byKey, isAsk: true } as const;

function routeOf(
  base: Pick<Route, 'method' | 'path' | 'isPublic' | 'handle'>,
  { isForLimited, takesDocument, keyScope, isAsk, refused, ...doc }: Options,
): Route {
  return {
    ...base,
    doc,
    ...(isForLimited && { isForLimited }),
    ...(takesDocument && { takesDocument }),
    ...(keyScope && { keyScope }),
    ...(isAsk && { isAsk }),
    ...(refused && { refused }),
  };
}

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;
