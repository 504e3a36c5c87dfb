// Pictures of answers: those that were asked for, and those that models put among their words. Where they were asked for,
// the question is the prompt: nothing else of the chat is sent but the pictures to
// begin with.
import { messageText, type Message } from '@parley/schema/messages/messages';
import type { CallMeter } from '../../billing/call-meter.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';
import { saveGeneratedImage } from '../../files/save-generated-image.ts';
import type { Delta } from '../../generation/delta.ts';
import { makePictures, pendingPictures, type PictureDeps } from '../../pictures/picture-deltas.ts';
import { pictureContext } from '../../pictures/plan-picture.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import type { ProviderCall, ProviderTarget } from '../../providers/provider.ts';
import type { Ask } from '../begin/ask.ts';

export type PictureAnswerDeps = Omit<PictureDeps, 'onFault'>;

interface Asking extends Pick<PictureDeps, 'onFault'> {
  target: ProviderTarget;
  meter: CallMeter;
}

export async function* answerPictures(
  deps: PictureAnswerDeps,
  { userId, endpoint, model, picture: plan }: Ask,
  request: Message,
  { target, meter, onFault }: Asking,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { pictures: provider } = endpoint;
  const prompt = messageText(request).trim();
  if (!plan || !provider || prompt === '') refuse({ type: 'invalid_input', text: 'Write what the picture shows.' });
  yield { type: 'context', context: pictureContext(plan), passages: [] };
  yield* pendingPictures(plan);
  yield { type: 'asked' };
  let made = 0;
  const making = { plan, provider, call: { target, model, prompt, userId } };
  yield* meter.pass(
    (until) => makePictures({ ...deps, onFault }, making, () => ++made, until),
    () => made,
    signal,
  );
}

// Keeps the pictures of an answer as files of the person who asked.

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
