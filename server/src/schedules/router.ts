import { SaveSchedule, ScheduleRef, ScheduleRule } from '@parley/schema/schedules/schedules';
import type { AskService } from '../chat/ask-service.ts';
import { withServices } from '../http/trpc.ts';
import { runNow } from './ask-run.ts';
import { listRuns, listSchedules, pauseSchedule, removeSchedule, resumeSchedule, saveSchedule } from './schedules.ts';
import { previewRule } from './slots.ts';

/** Times of a rule that are shown before it is saved. */
const SHOWN_SLOTS = 3;

const { protectedProcedure, router } = withServices<{ askService: AskService }>();

export const schedulesRouter = router({
  /** All of this user; changes come through the change feed. */
  list: protectedProcedure.query(({ ctx }) => listSchedules(ctx.deps.db, ctx.user.id)),

  /** The newest runs of one, the newest first. */
  runs: protectedProcedure.input(ScheduleRef).query(({ ctx, input }) => listRuns(ctx.deps.db, ctx.user.id, input.id)),

  /** The next times of a rule while it is typed, or why it is refused. */
  preview: protectedProcedure.input(ScheduleRule).query(({ input }) => previewRule(input, new Date(), SHOWN_SLOTS)),

  save: protectedProcedure
    .input(SaveSchedule)
    .mutation(({ ctx, input }) => saveSchedule(ctx.deps.db, ctx.user.id, input)),

  pause: protectedProcedure
    .input(ScheduleRef)
    .mutation(({ ctx, input }) => pauseSchedule(ctx.deps.db, ctx.user.id, input.id)),

  resume: protectedProcedure
    .input(ScheduleRef)
    .mutation(({ ctx, input }) => resumeSchedule(ctx.deps.db, ctx.user.id, input.id)),

  /** Asks once beside the rule. */
  runNow: protectedProcedure.input(ScheduleRef).mutation(({ ctx, input }) => runNow(ctx.deps, ctx.user.id, input.id)),

  /** Its conversations stay. */
  remove: protectedProcedure
    .input(ScheduleRef)
    .mutation(({ ctx, input }) => removeSchedule(ctx.deps.db, ctx.user.id, input.id)),
});
