import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { RULED_MODELS_MAX } from './access-rules.ts';
import { GROUPS_MAX } from './group-rules.ts';

const GroupIds = z.array(Id).max(GROUPS_MAX);

export const SetAccess = z.strictObject({
  endpoint: z.string().overwrite(cleanText).min(1).max(200),
  /** Null for everybody. */
  groupIds: GroupIds.nullable(),
  /** In place of that for single models. */
  models: z
    .array(z.strictObject({ model: z.string().overwrite(cleanText).min(1).max(300), groupIds: GroupIds }))
    .max(RULED_MODELS_MAX),
  /** That was read; null where everybody might use everything. */
  version: z.int().positive().nullable(),
});
export type SetAccess = z.output<typeof SetAccess>;
