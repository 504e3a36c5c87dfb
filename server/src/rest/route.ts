// The types of the REST route table.
import type { ApiScope } from '@parley/schema/accounts/api-key-rules';
import type * as z from 'zod';
import type { Api } from '../router.ts';
import type { RefusedRequest } from './errors.ts';

/**
 * What the OpenAPI document says of a route (`openapi/rest-document.ts`). `Shape` is that of its JSON with status 200,
 * to which its handler is held.
 */
export interface RouteDoc<Shape extends z.ZodType = z.ZodType> {
  summary: string;
  description?: string;
  /** Its parameters in the query, by name; each may be left out. */
  query?: Readonly<Record<string, string>>;
  /** The body that it takes, as JSON or as a form unless `bodyTypes` names others. */
  body?: z.ZodType;
  bodyTypes?: readonly string[];
  /** What it answers, by status, beside what every route may answer. */
  answers: { readonly 200?: JsonAnswer<Shape> | OtherAnswer; readonly [status: number]: Answer };
}

/** The words of an answer whose JSON is a `message`, or more of an answer. */
export type Answer = string | JsonAnswer | OtherAnswer;

interface JsonAnswer<Shape extends z.ZodType = z.ZodType> {
  says: string;
  shape: Shape;
  /** The text that stands in place of its JSON in some cases. */
  orText?: true;
}

export interface OtherAnswer {
  says: string;
  /** None for one without a body. */
  types: readonly string[];
  /** Of a stream: the data of its events, by their names. */
  events?: Readonly<Record<string, z.ZodType>>;
  /** Of JSON that comes line by line. */
  line?: z.ZodType;
}

/** What the document has of a path: of each row, and of what domains serve beside them. */
export interface DocumentedPath extends Pick<Route, 'method' | 'path' | 'isPublic' | 'keyScope' | 'doc'> {
  /** Whether the cookie of the session opens it, which images and links send. */
  opensToCookies?: boolean;
}

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

type Options<Shape extends z.ZodType> = RouteDoc<Shape> &
  Pick<Route, 'isForLimited' | 'takesDocument' | 'keyScope' | 'refused'>;

type Handled<Shape extends z.ZodType> = Response | z.output<Shape> | Promise<Response | z.output<Shape>>;

/** A route that needs a session. `:name` in the path becomes `params.name`. */
export function authed<const Path extends string, Shape extends z.ZodType>(
  method: Route['method'],
  path: Path,
  handle: (api: Api, call: Call<ParamsOf<Path>>) => Handled<Shape>,
  options: Options<Shape>,
): Route {
  return routeOf({ method, path, isPublic: false, handle }, options);
}

/** A public route. */
export function public_<Shape extends z.ZodType>(
  method: Route['method'],
  path: string,
  handle: (api: Api, call: Call) => Handled<Shape>,
  options: Options<Shape>,
): Route {
  return routeOf({ method, path, isPublic: true, handle }, options);
}

/** What opens to keys of programs that are for it. */
export const byKey = { keyScope: 'rest' } as const;

function routeOf(
  base: Pick<Route, 'method' | 'path' | 'isPublic' | 'handle'>,
  { isForLimited, takesDocument, keyScope, refused, ...doc }: Options<z.ZodType>,
): Route {
  return {
    ...base,
    doc,
    ...(isForLimited && { isForLimited }),
    ...(takesDocument && { takesDocument }),
    ...(keyScope && { keyScope }),
    ...(refused && { refused }),
  };
}

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;
