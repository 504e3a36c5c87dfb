// Procedures for actions. Their secrets never leave the server again.
import { randomUUID } from 'node:crypto';
import { ActionRef, ListActions, ParseSpec, SaveAction, TryAction } from '@parley/schema/assistants/action-inputs';
import type { Action, ParsedSpec, TriedOperation } from '@parley/schema/assistants/actions';
import { assertBuilder } from '../assistants/rules.ts';
import { limitCalls } from '../abuse/call-limits.ts';
import { audit } from '../platform/audit.ts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { refuse } from '../platform/errors.ts';
import { findOperation } from './actions.ts';
import { presentSpec, readSpec } from './read-spec.ts';
import { findAction } from './rows.ts';
import { presentTried } from './run-operation.ts';

export const actionsRouter = router({
  /** Reads an OpenAPI document, for the editor. */
  parse: protectedProcedure.input(ParseSpec).mutation(async ({ ctx, input }): Promise<ParsedSpec> => {
    await limitCalls(ctx, ctx.user.id, 'parseSpec');
    return presentSpec(await readSpec(input.rawSpec));
  }),

  /** This user's actions, or those of one assistant. */
  list: protectedProcedure
    .input(ListActions.optional())
    .query(({ ctx, input }): Promise<Action[]> => ctx.deps.actions.list(ctx.user.id, input?.assistantId)),

  /** Creates an action of an assistant, or replaces it. */
  save: protectedProcedure.input(SaveAction).mutation(async ({ ctx, input }): Promise<Action> => {
    assertBuilder(ctx.deps);
    await limitCalls(ctx, ctx.user.id, 'parseSpec');
    const { assistantId, ...given } = input;
    const action = await ctx.deps.actions.save(ctx.user.id, assistantId, given);
    audit(ctx.deps, 'action_saved', { userId: ctx.user.id, host: action.domain });
    return action;
  }),

  remove: protectedProcedure.input(ActionRef).mutation(async ({ ctx, input }) => {
    assertBuilder(ctx.deps);
    await ctx.deps.actions.remove(ctx.user.id, input.assistantId, input.actionId);
    audit(ctx.deps, 'action_removed', { userId: ctx.user.id });
    return null;
  }),

  /** Calls one operation with the saved credentials, and shows what was sent and what came back. */
  tryOut: protectedProcedure.input(TryAction).mutation(async ({ ctx, input, signal }): Promise<TriedOperation> => {
    const { config, db, actions } = ctx.deps;
    if (!config.actions.enabled) refuse({ type: 'invalid_input', text: 'Actions are switched off on this server' });
    const action = await findAction(db, ctx.user.id, input.actionId);
    const operation = findOperation(action, input.operation);
    await limitCalls(ctx, ctx.user.id, 'tryAction');
    const result = await actions.run({
      userId: ctx.user.id,
      action,
      operation,
      args: input.args,
      idempotencyKey: randomUUID(),
      signal: signal ?? new AbortController().signal,
    });
    return presentTried(result, actions.signInUrl(action.id));
  }),
});
