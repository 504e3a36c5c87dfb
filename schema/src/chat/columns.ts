// Answers side by side: replies to one question, each with a model and settings of its own.
import type { Settings } from '../catalog/params.ts';

/** The most models that one question is asked. */
export const COLUMNS_MAX = 4;
export const COLUMNS_MIN = 2;

/** A place beside others: who answers there, and its newest reply. */
export interface Column {
  endpoint: string;
  model: string | null;
  settings: Settings;
  replyId: string;
}

/** How often a person went on with the answer of a model that stood beside others. */
export interface Compared {
  endpoint: string;
  model: string | null;
  /** Answers that stood beside others of which one was chosen. */
  answers: number;
  chosen: number;
}
