import {
  AssistantActionRef,
  AssistantPage,
  AssistantRef,
  CreateAssistant,
  SaveAssistantAction,
  UpdateAssistant,
} from '@parley/schema/assistants/assistant-inputs';
import { Id } from '@parley/schema/ids';
import * as z from 'zod';
import { limitCalls } from '../abuse/call-limits.ts';
import { letterIcon } from '../plugins/icon.ts';
import { withServices } from '../http/trpc.ts';
import { refuse } from '../platform/errors.ts';
import type { StoredAction } from './action-store.ts';
import { removeAssistantAction, saveAssistantAction } from './assistant-actions.ts';
import { createAssistant, listAssistants, readAssistant, updateAssistant } from './assistants.ts';
import { removeAssistantAvatar } from './avatar.ts';
import { readStatus, removeAssistant } from './remove-assistant.ts';
import { readRun } from './run-status.ts';
import { assertBuilder, assistantRules } from './rules.ts';
import { listShared } from './shared-assistants.ts';
import { endpointAfter, endpointToSave } from './who-answers.ts';
import type { Config } from '../config/config.ts';
import type { ActionStore } from './action-store.ts';
import type { ToolCatalog } from './tool-catalog.ts';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';

const { protectedProcedure, router } = withServices<{
  actions: ActionStore;
  assistantTools: ToolCatalog;
  endpoints: LiveEndpoints;
}>();

export const assistantsRouter = router({
  /** A page of this user's assistants, by the time of their creation. */
  list: protectedProcedure
    .input(AssistantPage.optional())
    .query(({ ctx, input }) =>
      listAssistants(ctx.deps.db, ctx.user.id, AssistantPage.parse(input ?? {}), assistantRules(ctx.deps.config)),
    ),

  /** Those that others share with everybody, without instructions, files and actions. */
  shared: protectedProcedure.query(({ ctx }) => listShared(ctx.deps.db, ctx.user.id, assistantRules(ctx.deps.config))),

  get: protectedProcedure
    .input(AssistantRef)
    .query(({ ctx, input }) => readAssistant(ctx.deps.db.query, ctx.user.id, input.assistantId)),

  /** Without an endpoint, the first that offers the model answers. */
  create: protectedProcedure.input(CreateAssistant).mutation(async ({ ctx, input }) => {
    assertBuilder(ctx.deps);
    assertShareable(ctx.deps, input);
    const endpoint = await endpointToSave(ctx.deps.endpoints, ctx.user.id, input);
    const tools = await ctx.deps.assistantTools.define(ctx.user.id, input.tools ?? []);
    return createAssistant(ctx.deps.db, ctx.user.id, { ...input, endpoint, tools });
  }),

  /** Absent fields stay as they are. */
  update: protectedProcedure.input(UpdateAssistant).mutation(async ({ ctx, input }) => {
    assertBuilder(ctx.deps);
    assertShareable(ctx.deps, input);
    const { tools: given, ...fields } = input;
    const before = await readAssistant(ctx.deps.db.query, ctx.user.id, input.assistantId);
    const endpoint = await endpointAfter(ctx.deps.endpoints, ctx.user.id, before, input);
    // Clients name functions of actions, which the list does not have.
    const tools = given && (await ctx.deps.assistantTools.define(ctx.user.id, given, before.tools));
    return updateAssistant(ctx.deps.db, ctx.user.id, { ...fields, endpoint, ...(tools && { tools }) });
  }),

  /**
   * Deletes an assistant with its actions and files; `convos.restore` undoes it. Conversations with it stay, but it
   * answers no more.
   */
  remove: protectedProcedure.input(AssistantRef).mutation(async ({ ctx, input }) => {
    const deletionId = await removeAssistant(ctx.deps.db, ctx.user.id, input.assistantId);
    return { ...input, deletionId };
  }),

  /** Whether the assistant of a conversation answers, or was deleted. */
  status: protectedProcedure
    .input(AssistantRef)
    .query(({ ctx, input }) =>
      readStatus(ctx.deps.db, ctx.user.id, input.assistantId, assistantRules(ctx.deps.config)),
    ),

  /** The tools that an assistant can be given by name, with their images. */
  tools: protectedProcedure.query(async ({ ctx }) => {
    const tools = await ctx.deps.assistantTools.list(ctx.user.id);
    return tools.map((tool) => ({ ...tool, icon: letterIcon(tool.from.label) }));
  }),

  /** How far a run is. */
  run: protectedProcedure
    .input(z.strictObject({ generationId: Id }))
    .query(({ ctx, input }) => readRun(ctx.deps.db.query, ctx.user.id, input.generationId)),

  /** The actions of all assistants, or of one, without secrets. */
  actions: protectedProcedure
    .input(AssistantRef.partial().optional())
    .query(({ ctx, input }): Promise<StoredAction[]> => ctx.deps.actions.list(ctx.user.id, input?.assistantId)),

  /** Saves an action of an assistant, and gives the assistant its functions. */
  saveAction: protectedProcedure.input(SaveAssistantAction).mutation(async ({ ctx, input }) => {
    assertBuilder(ctx.deps);
    await limitCalls(ctx, ctx.user.id, 'parseSpec');
    return saveAssistantAction(ctx.deps, ctx.user.id, input);
  }),

  /** Deletes an action; its functions leave the assistant. */
  removeAction: protectedProcedure.input(AssistantActionRef).mutation(({ ctx, input }) => {
    assertBuilder(ctx.deps);
    return removeAssistantAction(ctx.deps, ctx.user.id, input);
  }),

  /** A new avatar is uploaded to `/api/assistants/avatar/<id>`. */
  removeAvatar: protectedProcedure.input(AssistantRef).mutation(({ ctx, input }) => {
    assertBuilder(ctx.deps);
    return removeAssistantAvatar(ctx.deps, ctx.user.id, input.assistantId);
  }),
});

function assertShareable({ config }: { config: Config }, { isShared }: { isShared?: boolean | undefined }): void {
  if (isShared && !config.accounts.allowSharedAssistants) refuse({ type: 'forbidden' });
}
