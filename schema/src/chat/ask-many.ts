// Tests of this room: tests/unit/schema.

// One question to several models, whose replies stand side by side.
import * as z from 'zod';
import { COLUMNS_MAX, COLUMNS_MIN } from './columns.ts';
import { Id } from '../ids.ts';
import { AskInput } from './ask.ts';

const ColumnAsk = AskInput.pick({
  generationId: true,
  replyId: true,
  endpoint: true,
  model: true,
  settings: true,
  target: true,
});
export type ColumnAsk = z.infer<typeof ColumnAsk>;

/** The client makes all ids, which makes it idempotent: the same again returns the first result. */
export const AskManyInput = z
  .strictObject({
    conversationId: Id,
    /** As of `AskInput`. */
    folderId: Id.nullish(),
    isTemporary: z.boolean().optional(),
    asks: z.array(ColumnAsk).min(COLUMNS_MIN).max(COLUMNS_MAX),
  })
  .refine(({ asks }) => hasOwnIds(asks), 'Each column needs ids of its own')
  .refine(({ asks }) => isOneQuestion(asks) || areFollowUps(asks), 'The columns do not ask the same');
export type AskManyInput = z.infer<typeof AskManyInput>;

/** No id is that of two things: of runs, replies, and the questions that are asked or answered. */
function hasOwnIds(asks: readonly ColumnAsk[]): boolean {
  const own = asks.flatMap(({ generationId, replyId }) => [generationId, replyId]);
  const questions = new Set(asks.flatMap(({ target }) => questionIds(target)));
  return new Set([...own, ...questions]).size === own.length + questions.size;
}

/** A question and what it stands below. */
function questionIds(target: ColumnAsk['target']): string[] {
  const parentId = 'parentMessageId' in target ? target.parentMessageId : null;
  return ['messageId' in target ? target.messageId : null, parentId].filter((id) => id !== null);
}

/** A new question to all of them, or other replies to one that is there. */
function isOneQuestion(asks: readonly ColumnAsk[]): boolean {
  const [first] = asks;
  const isAskable = first?.target.kind === 'send' || first?.target.kind === 'regenerate';
  const same = JSON.stringify(first?.target);
  return isAskable && asks.every(({ target }) => JSON.stringify(target) === same);
}

/** A question below the reply of each. */
function areFollowUps(asks: readonly ColumnAsk[]): boolean {
  const ids = asks.flatMap(({ target }) =>
    target.kind === 'send' && target.parentMessageId !== null ? target.messageId : [],
  );
  return new Set(ids).size === asks.length;
}
