import { FILE_CONTEXTS, STORE_SOURCES } from '@parley/schema/files/stored-file';
import * as z from 'zod';
import { Count, Text, Time, Uuid } from './shapes.ts';

export const RestFile = z
  .object({
    user: Uuid,
    file_id: Uuid,
    temp_file_id: Text.optional(),
    bytes: Count,
    filename: Text,
    filepath: Text,
    object: z.literal('file'),
    type: Text,
    context: z.enum(FILE_CONTEXTS),
    usage: Count,
    source: z.enum([...STORE_SOURCES, 'vectordb']),
    embedded: z.boolean(),
    width: Count.optional(),
    height: Count.optional(),
    expiresAt: Time.optional(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'File' });
/** The answer to an upload. */
export const UploadedFile = RestFile.extend({ message: Text });
export type UploadedFile = z.infer<typeof UploadedFile>;

const Bytes = z.string().meta({ contentMediaType: 'application/octet-stream' });

export const UploadForm = z.object({
  file: Bytes,
  file_id: Uuid.describe('Made by the client: the same one again is the same upload.'),
  endpoint: Text,
  message_file: Text.optional().describe('`true` for a file of a question.'),
  assistant_id: Text.optional(),
  keep: Text.optional().describe('`true` for a file that stays unused.'),
});
export const AvatarForm = z.object({ input: Bytes });
export const AvatarOfAssistantForm = z.object({ file: Bytes });
export const AvatarUrl = z.object({ url: Text });

export type RestFile = z.infer<typeof RestFile>;
