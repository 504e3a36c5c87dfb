// What is asked of a research.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { PLAN_STEPS_MAX, QUESTION_MAX, RESEARCH_BUDGET_MAX, WHY_MAX } from './research.ts';

const StepId = z.string().regex(/^[a-z0-9]{1,12}$/);
const Question = z.string().trim().min(1).max(QUESTION_MAX).overwrite(cleanText);
const Why = z.string().trim().max(WHY_MAX).overwrite(cleanText).default('');

const Step = z.strictObject({ id: StepId, question: Question, why: Why });

const Steps = z
  .array(Step)
  .min(1)
  .max(PLAN_STEPS_MAX)
  .refine((steps) => new Set(steps.map(({ id }) => id)).size === steps.length, 'Two steps have the same id');

const Changes = {
  /** The version that was changed: another device may have been faster. */
  version: z.int().min(1),
  steps: Steps,
  budget: z.int().min(1).max(RESEARCH_BUDGET_MAX),
};

/** A plan as it is to be kept while it waits. */
export const EditPlan = z.strictObject({ messageId: Id, ...Changes });
export type EditPlan = z.infer<typeof EditPlan>;

export const ResearchRef = z.strictObject({ messageId: Id });
export type ResearchRef = z.infer<typeof ResearchRef>;

/** Makes an ask one for a report: for its plan, or with `start` for what follows from it. */
export const ResearchAsk = z.strictObject({
  start: z
    .strictObject({
      ...Changes,
      /** Of the page: what the check of the report says is written in it. */
      language: z.string().max(35).optional(),
    })
    .optional(),
});
export type ResearchAsk = z.infer<typeof ResearchAsk>;
