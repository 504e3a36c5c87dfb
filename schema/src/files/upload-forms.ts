// The fields of the forms that upload files: the server reads these, and the document of `/api` lists them.
import * as z from 'zod';

/** The field that has the file: of an upload, of a person's picture, of an assistant's picture. */
export const FILE_FIELD = 'file';
export const AVATAR_FIELD = 'input';
export const ASSISTANT_AVATAR_FIELD = 'file';

const NO_UUID = 'The form needs a file_id, which is a UUID.';
const NO_SIZE = 'The form needs the width and height of the image.';
/** Measured by the client. */
const Pixels = z.string(NO_SIZE).refine((text) => Number(text) > 0, NO_SIZE);

/** What an upload has beside its file. Each message is the sentence of a refusal. */
export const FileFields = z.object({
  file_id: z.guid(NO_UUID).toLowerCase().describe('Made by the client: the same one again is the same upload.'),
  endpoint: z.string('The form needs an endpoint.'),
  message_file: z.string().optional().describe('`true` for a file of a question.'),
  assistant_id: z.string().optional(),
  keep: z.string().optional().describe('`true` for a file that stays unused.'),
});
export const ImageFields = FileFields.extend({ width: Pixels, height: Pixels });
