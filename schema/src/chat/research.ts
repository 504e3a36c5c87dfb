// Tests of this room: tests/unit/schema.

// A report that is researched in steps: its plan, and how its calls show it.
import { isObject, listIn, parseJson } from '../json.ts';

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

/** A question of the plan, and what would answer it. */
export interface PlanStep {
  id: string;
  question: string;
  why: string;
}

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
  const { title, budget, version } = value;
  const steps = listIn(value.steps).filter(isPlanStep);
  if (typeof title !== 'string' || typeof budget !== 'number' || typeof version !== 'number') return null;
  return { title, steps, budget, version };
}

function isPlanStep(value: unknown): value is PlanStep {
  if (!isObject(value)) return false;
  const { id, question, why } = value;
  return typeof id === 'string' && typeof question === 'string' && typeof why === 'string';
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
export function planPlaceOfStep(step: number): number {
  return Math.floor(step / CALLS_PER_STEP);
}
