// Tests of this room: tests/unit/http, tests/integration/http.

// Where the operator wants it, what answers make does not run, or is not drawn at all.
import type { StartupConfig } from '@parley/schema/catalog/startup';
import type { MiddlewareHandler } from 'hono';

const STILL = /^\/artifact\/still\.\w+$/;

/** Serves no frame that shows more than is allowed. */
export function refuseFrames(level: StartupConfig['artifacts']): MiddlewareHandler {
  return async (c, next) => {
    if (level === undefined || (level === 'still' && STILL.test(c.req.path))) return next();
    return c.text('This server does not run what answers make.', 404);
  };
}
