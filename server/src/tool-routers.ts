// Everything about tools: where they come from, and what a person allows.
import { actionsRouter } from './actions/router.ts';
import { mcpRouter } from './mcp/router.ts';
import { pluginsRouter } from './plugins/router.ts';
import { toolsRouter } from './tools/router.ts';

/** Stand in the root router by these names. */
export const toolRouters = {
  plugins: pluginsRouter,
  tools: toolsRouter,
  actions: actionsRouter,
  mcp: mcpRouter,
};
