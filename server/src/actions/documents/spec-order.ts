// What the process that reads OpenAPI documents is asked, and what it answers.
import type { ParsedSpec } from '@parley/schema/assistants/actions';
import type { Choice, ReadSpec } from '../read-document.ts';

export interface SpecOrder {
  text: string;
  /** `list` is for people, who choose from all operations; `read` is for models, with the schemas of those that are on. */
  task: 'list' | 'read';
  chosen: Choice | null;
}

export type SpecResult = ParsedSpec | ReadSpec;
