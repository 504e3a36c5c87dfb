import { FILE_CONTEXTS, STORE_SOURCES } from '@parley/schema/files/stored-file';
import {
  ASSISTANT_AVATAR_FIELD,
  AVATAR_FIELD,
  FILE_FIELD,
  FileFields,
  ImageFields,
} from '@parley/schema/files/upload-forms';
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

export const FileForm = z.object({ [FILE_FIELD]: Bytes, ...FileFields.shape });
export const ImageForm = z.object({ [FILE_FIELD]: Bytes, ...ImageFields.shape });
export const AvatarForm = z.object({ [AVATAR_FIELD]: Bytes });
export const AssistantAvatarForm = z.object({ [ASSISTANT_AVATAR_FIELD]: Bytes });
export const ImportForm = z.object({ [FILE_FIELD]: Bytes });
export const AvatarUrl = z.object({ url: Text });

export type RestFile = z.infer<typeof RestFile>;
