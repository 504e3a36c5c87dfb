import * as z from 'zod';
import { GivenSettings } from './ask.ts';
import { Id } from '../ids.ts';
import { COLUMNS_MAX, COLUMNS_MIN } from './columns.ts';

const ColumnInput = z.strictObject({
  endpoint: z.string().min(1).max(128),
  model: z.string().min(1).max(256).nullable(),
  settings: GivenSettings,
  replyId: Id,
});

/** Puts replies of a conversation side by side, or one model in their place. */
export const SetColumns = z.strictObject({
  conversationId: Id,
  columns: z.array(ColumnInput).min(COLUMNS_MIN).max(COLUMNS_MAX).nullable(),
});
export type SetColumns = z.infer<typeof SetColumns>;

/** The reply that the conversation goes on with. */
export const GoOnWith = z.strictObject({ conversationId: Id, replyId: Id });
export type GoOnWith = z.infer<typeof GoOnWith>;
