// Tests of this room: tests/unit/schema.

// A report that is researched in steps: the plan, which its person may change before it starts, and what is asked of it.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { isObject, parseJson } from '../json.ts';

/** The origin of the calls that show a plan and its steps. */
export const RESEARCH = 'research';
/** The id of the call that holds the plan, in its reply. */
export const PLAN_CALL = 'plan';
/** The name of the artifact that the report is. */
export const REPORT = 'report';

export const PLAN_STEPS_MAX = 8;
/** Questions that are added once the others are answered. */
export const ADDED_STEPS_MAX = 3;
export const QUESTION_MAX = 500;
export const WHY_MAX = 500;
/** Of one step, in characters. */
export const NOTES_MAX = 8000;
/** In credits: a thousand dollars. */
export const RESEARCH_BUDGET_MAX = 1_000_000_000;

const StepId = z.string().regex(/^[a-z0-9]{1,12}$/);
const Question = z.string().trim().min(1).max(QUESTION_MAX).overwrite(cleanText);
const Why = z.string().trim().max(WHY_MAX).overwrite(cleanText).default('');

/** A question of the plan, and what would answer it. */
export const PlanStep = z.strictObject({ id: StepId, question: Question, why: Why });
export type PlanStep = z.infer<typeof PlanStep>;

const Steps = z
  .array(PlanStep)
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
export const EditPlan = z.strictObject({ conversationId: Id, messageId: Id, ...Changes });
export type EditPlan = z.infer<typeof EditPlan>;

export const ResearchRef = z.strictObject({ conversationId: Id, messageId: Id });
export type ResearchRef = z.infer<typeof ResearchRef>;

/** Makes an ask one for a report: for its plan, or with `start` for what follows from it. */
export const ResearchAsk = z.strictObject({ start: z.strictObject(Changes).optional() });
export type ResearchAsk = z.infer<typeof ResearchAsk>;

/** `skipped`: there was no more time or budget for it. */
export type StepState = 'open' | 'done' | 'failed' | 'skipped';

export interface ResearchPlan {
  title: string;
  /** What is asked, in words that need no conversation around them. */
  task: string;
  steps: (PlanStep & { state: StepState })[];
  /** Whether it was asked what else is to be found out. */
  hasAskedMore?: boolean;
}

/** The plan as its call shows it. */
export interface ShownPlan {
  title: string;
  steps: PlanStep[];
  budget: number;
  version: number;
}

/** Null for arguments of any other call. */
export function readShownPlan(input: string): ShownPlan | null {
  const value = parseJson(input);
  if (!isObject(value)) return null;
  const steps = Steps.safeParse(value.steps);
  const { title, budget, version } = value;
  if (!steps.success || typeof title !== 'string' || typeof budget !== 'number' || typeof version !== 'number')
    return null;
  return { title, steps: steps.data, budget, version };
}

/** A step as its call shows it: what it cost is there once it has ended. */
export interface ShownStep {
  id: string;
  question: string;
  credits: number | null;
  /** The number of its sources. */
  sources: number | null;
}

export function readShownStep(input: string): ShownStep | null {
  const value = parseJson(input);
  if (!isObject(value)) return null;
  const { id, question, credits, sources } = value;
  if (typeof id !== 'string' || typeof question !== 'string') return null;
  const count = (given: unknown) => (typeof given === 'number' ? given : null);
  return { id, question, credits: count(credits), sources: count(sources) };
}

/** The calls of a step have numbers from here up to those of the next step. */
export const CALLS_PER_STEP = 1000;

/** The place of the step, from 1, that a call with this number belongs to. */
export function stepPlaceOf(step: number): number {
  return Math.floor(step / CALLS_PER_STEP);
}
