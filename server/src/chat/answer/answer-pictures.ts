// Keeps the pictures of an answer as files of the person who asked.
import { Refusal } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';
import { saveGeneratedImage } from '../../files/save-generated-image.ts';
import type { ProviderCall } from '../../providers/provider.ts';

/** Keeps the pictures of answers; one that cannot be kept becomes a failed call. */
export function createPictureKeeper(deps: FileSaverDeps, userId: string): NonNullable<ProviderCall['keepPicture']> {
  let count = 0;
  return async ({ data }) => {
    count += 1;
    try {
      const bytes = Buffer.from(data, 'base64');
      return {
        type: 'made',
        part: await saveGeneratedImage(deps, { userId, bytes, name: `picture-${count}`, prompt: '' }),
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return failed(`picture:${count}`, error);
    }
  };
}

function failed(id: string, { reason }: Refusal): Delta {
  const output =
    reason.type === 'storage_full'
      ? 'There is no room left for the picture.'
      : 'The picture of the answer cannot be read.';
  const call = { id, kind: 'function' as const, name: 'Picture', input: '', output, progress: 1 };
  return {
    type: 'tool',
    call: { ...call, state: 'failed', from: { source: 'builtin', id: 'picture', label: 'Picture' } },
  };
}
