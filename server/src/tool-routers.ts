// Everything about tools: where they come from, what a person allows, and what they remember.
import { actionsRouter } from './actions/router.ts';
import { memoriesRouter } from './memory/router.ts';
import { mcpRouter } from './mcp/router.ts';
import { skillsRouter } from './skills/router.ts';
import { toolsRouter } from './tools/router.ts';
import { InstallPlugin, UninstallPlugin } from '@parley/schema/tools/plugins';
import { withServices } from './http/trpc.ts';
import { installPlugin, listPlugins, uninstallPlugin, type PluginServices } from './plugins/plugins.ts';

const { protectedProcedure, router } = withServices<PluginServices>();

const pluginsRouter = router({
  /** All plugins in the order of the store, with what this person has installed and saved. */
  list: protectedProcedure.query(({ ctx }) => listPlugins(ctx.deps, ctx.user.id)),

  install: protectedProcedure
    .input(InstallPlugin)
    .mutation(({ ctx, input }) => installPlugin(ctx.deps, ctx.user.id, input)),

  uninstall: protectedProcedure
    .input(UninstallPlugin)
    .mutation(({ ctx, input }) => uninstallPlugin(ctx.deps, ctx.user.id, input)),
});

/** Stand in the root router by these names. */
export const toolRouters = {
  plugins: pluginsRouter,
  tools: toolsRouter,
  actions: actionsRouter,
  mcp: mcpRouter,
  memories: memoriesRouter,
  skills: skillsRouter,
};

// Procedures of the plugin store. Saved values never leave the server again.
