import type { HttpBindings } from '@hono/node-server';
import type { RequestIdVariables } from 'hono/request-id';

/**
 * Hono's environment for all handlers: node's request, the request id for the log, and the bytes of the response that
 * its connection does not count.
 */
export type HttpEnv = { Bindings: HttpBindings; Variables: RequestIdVariables & { unsent?: () => number } };
