// Procedures for actions. Their secrets never leave the server again.
import { randomUUID } from 'node:crypto';
import {
  ActionRef,
  ListActions,
  OneAction,
  ParseSpec,
  SaveAction,
  TryAction,
} from '@parley/schema/assistants/action-inputs';
import type { Action, ActionWithDocument, ParsedSpec, TriedOperation } from '@parley/schema/assistants/actions';
import { assertBuilder } from '../assistants/rules.ts';
import { limitCalls } from '../abuse/call-limits.ts';
import { audit } from '../platform/audit.ts';
import { withServices } from '../http/trpc.ts';
import { findOperation, type Actions } from './actions.ts';
import { listSpec } from './documents/read-spec.ts';
import { findAction, readSignedInAt } from './rows.ts';
import { assertActionsOn, presentTried } from './run-operation.ts';

const { protectedProcedure, router } = withServices<{ actions: Actions }>();

export const actionsRouter = router({
  /** Reads an OpenAPI document, for the editor. */
  parse: protectedProcedure.input(ParseSpec).mutation(async ({ ctx, input }): Promise<ParsedSpec> => {
    await limitCalls(ctx, ctx.user.id, 'parseSpec');
    const { rawSpec, operations: names } = input;
    return listSpec(ctx.user.id, rawSpec, names ? { names, orAll: true } : null);
  }),

  /** One action with its document, for the editor. */
  get: protectedProcedure
    .input(OneAction)
    .query(({ ctx, input }): Promise<ActionWithDocument> => ctx.deps.actions.get(ctx.user.id, input.actionId)),

  /** When this user signed in to an action, which may be lent to them; null where they have not. */
  signedInAt: protectedProcedure
    .input(OneAction)
    .query(({ ctx, input }) => readSignedInAt(ctx.deps.db, ctx.user.id, input.actionId)),

  /** This user's actions, or those of one assistant, without their documents. */
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
    assertActionsOn(config);
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
