import { becomesImage, isImageType } from '@parley/schema/files/file-types';
import { hashFile, withArrival } from '../storage/arrivals.ts';
import { writeImage, writeSameSize } from './images.ts';
import { saveFile, createFileSaver, type FileSaverDeps, type NewFile } from './save-file.ts';
import type { FileRow } from './present.ts';

/**
 * Keeps a file whose type is known from its bytes: an image as it is written anew, any other file as it is. `endpoint`
 * decides how large an image may be; one that was made here keeps its size.
 * @throws Refusal `invalid_input` for an image that cannot be read; `storage_full`
 */
export async function saveConverted(deps: FileSaverDeps, file: NewFile, endpoint = ''): Promise<FileRow> {
  const keeping = createFileSaver(deps);
  const { path, bytes, hash, userId, name, mime, context, temporaryId } = file;
  const facts = { userId, name, context, ...(temporaryId !== undefined && { temporaryId }) };
  // What code made stays in its own format, unless pages show it anyway.
  const isImage = context === 'assistants_output' ? isImageType(mime) : becomesImage(mime);
  if (!isImage) return saveFile(keeping, { ...facts, path, bytes, hash, mime });
  const { imageOutputType: format } = deps.config.files;
  return withArrival(deps.config, async (image) => {
    const written =
      context === 'image_generation'
        ? await writeSameSize(path, image, format)
        : await writeImage(path, image, { format, endpoint });
    const converted = { path: image, mime: `image/${format}`, hash: await hashFile(image) };
    return saveFile(keeping, { ...facts, ...written, ...converted });
  });
}
