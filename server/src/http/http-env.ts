import type { HttpBindings } from '@hono/node-server';
import type { RequestIdVariables } from 'hono/request-id';

/** Hono's environment for all handlers: node's request, and the request id for the log. */
export type HttpEnv = { Bindings: HttpBindings; Variables: RequestIdVariables };
