// Keeps an image that a tool made, in its full size.
import { isImageType } from '@parley/schema/files/file-types';
import type { ImagePart } from '@parley/schema/messages/messages';
import { refuse } from '../platform/errors.ts';
import { hashFile, receive, withArrival } from '../storage/arrivals.ts';
import { detectType } from './detect-type.ts';
import { writeSameSize } from './images.ts';
import { saveFile, createFileSaver, type FileSaverDeps } from './save-file.ts';
import { filePath } from './present.ts';

export interface MadeImage {
  userId: string;
  bytes: Uint8Array;
  /** Without an extension. */
  name: string;
  /** What it was made from. */
  prompt: string;
}

/**
 * Keeps the image as one of its user's files. Like an upload, it expires unless a message uses it.
 * @throws Refusal `invalid_input` for bytes that are no image; `storage_full`
 */
export async function saveGeneratedImage(
  deps: FileSaverDeps,
  { userId, bytes, name, prompt }: MadeImage,
): Promise<ImagePart> {
  const { imageOutputType: format } = deps.config.files;
  return withArrival(deps.config, (given) =>
    withArrival(deps.config, async (written) => {
      await receive([bytes], given);
      if (!isImageType(await detectType(given, '', ''))) refuse({ type: 'invalid_input', text: 'This is no picture.' });
      const size = await writeSameSize(given, written, format);
      const row = await saveFile(createFileSaver(deps), {
        ...size,
        userId,
        path: written,
        name: `${name}.${format}`,
        mime: `image/${format}`,
        context: 'image_generation',
        hash: await hashFile(written),
      });
      const { width, height } = size;
      return {
        type: 'image',
        fileId: row.id,
        path: filePath(row),
        width,
        height,
        name: row.name,
        mime: row.mime,
        bytes: row.bytes,
        prompt,
      };
    }),
  );
}
