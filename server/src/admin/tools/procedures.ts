// The tools of this server, for administrators. Keys and headers go in and never come out.
import {
  SavedToolRef,
  SaveToolServer,
  SaveToolValues,
  SwitchTool,
  ToolServer,
  ToolValues,
} from '@parley/schema/tools/tool-settings';
import type { ToolServices } from './write-tool.ts';
import { adminProcedures } from '../admin-procedure.ts';
import { removeTool, saveValues, switchTool } from './change-tool.ts';
import { listTools } from './list-tools.ts';
import { saveServer, tryServer } from './servers.ts';
import { tryValues } from './try-tool.ts';

const { adminProcedure, sensitiveProcedure, router } = adminProcedures<ToolServices>();

export const adminToolsRouter = router({
  list: adminProcedure.query(({ ctx }) => listTools(ctx.deps)),

  setOn: adminProcedure.input(SwitchTool).mutation(({ ctx, input }) => switchTool(ctx.deps, ctx.actor, input)),

  saveValues: sensitiveProcedure
    .input(SaveToolValues)
    .mutation(({ ctx, input }) => saveValues(ctx.deps, ctx.actor, input)),

  /** One call of the service, with values that need not be saved. */
  tryValues: adminProcedure
    .input(ToolValues)
    .mutation(({ ctx, input, signal }) => tryValues(ctx.deps, input, { userId: ctx.actor.id, signal })),

  saveServer: sensitiveProcedure
    .input(SaveToolServer)
    .mutation(({ ctx, input }) => saveServer(ctx.deps, ctx.actor, input)),

  tryServer: adminProcedure.input(ToolServer).mutation(({ ctx, input }) => tryServer(ctx.deps, ctx.actor.id, input)),

  remove: adminProcedure.input(SavedToolRef).mutation(({ ctx, input }) => removeTool(ctx.deps, ctx.actor, input)),
});
