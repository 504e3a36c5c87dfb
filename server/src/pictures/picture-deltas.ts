// Tests of this room: tests/integration/pictures.

// Makes the pictures of an answer: all at once, each by a call of its own, so that one that fails leaves the others.
import type { ImagePart } from '@parley/schema/messages/messages';
import type { PendingPicture } from '@parley/schema/messages/made-pictures';
import type { Reason } from '@parley/schema/reasons';
import { saveGeneratedImage } from '../files/save-generated-image.ts';
import { pngMask, renderPreview } from '../files/picture-bytes.ts';
import type { FileSaverDeps } from '../files/save-file.ts';
import type { Delta } from '../generation/delta.ts';
import { createDeltaQueue, type DeltaQueue } from '../generation/delta-queue.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { Egress } from '../platform/egress.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import { reasonText } from '../platform/reasons.ts';
import {
  PICTURE_BYTES_MAX,
  type PictureCall,
  type PictureDelta,
  type PictureProvider,
  type SourcePicture,
} from '../providers/pictures.ts';
import type { PicturePlan } from './plan-picture.ts';

export interface PictureDeps extends FileSaverDeps {
  egress: Pick<Egress, 'download'>;
  readFile(userId: string, fileId: string, maxBytes: number): Promise<SourcePicture | null>;
  onFault(error: unknown): void;
}

export interface PictureRequest {
  plan: PicturePlan;
  provider: PictureProvider;
  call: Pick<PictureCall, 'target' | 'model' | 'prompt' | 'userId'>;
}

/** Of one picture: the slowest models take two minutes. */
const TIMEOUT_MS = 240_000;
/** Well below what an answer may be silent. */
const HEARTBEAT_MS = 1000;
/** Of one picture; what a server sends beyond is not shown. */
const PARTIALS_MAX = 8;
/** In characters. */
const REVISED_MAX = 8000;
/** Of the name of a file. */
const NAME_MAX = 40;

/** A place for each picture, of the size that it will have. */
export function* pendingPictures({ can, options: { n, size } }: PicturePlan): Generator<Delta> {
  const [width, height] = can.sizes[size];
  for (let place = 0; place < n; place++)
    yield { type: 'place', place, part: { type: 'pending_picture', width, height, progress: 0 } };
}

/**
 * Asks for the pictures and keeps each when it comes. `onMade` is told of each that is kept, before it counts.
 * @throws Refusal of the first that failed, where none came
 */
export async function* makePictures(
  deps: PictureDeps,
  request: PictureRequest,
  onMade: () => number,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { options } = request.plan;
  const call = await completeCall(deps, request);
  const queue = createDeltaQueue();
  const failures = createFailures(queue);
  const places = Array.from({ length: options.n }, (_, place) => place);
  const making = Promise.all(
    places.map((place) => makeOne(deps, { ...request, call, place, queue, failures }, onMade, signal)),
  );
  void making.finally(queue.end).catch(() => undefined);
  yield* queue.read(HEARTBEAT_MS);
  await making;
  signal.throwIfAborted();
  failures.settle();
  yield { type: 'finish', reason: 'stop' };
}

async function completeCall(deps: PictureDeps, { plan, call }: PictureRequest): Promise<PictureCall> {
  const { can, options, from, mask } = plan;
  const sources = await Promise.all(from.map((part) => readSource(deps, call.userId, part)));
  const [first] = from;
  const drawn = mask && first ? await readSource(deps, call.userId, mask) : null;
  return {
    ...call,
    can,
    size: options.size,
    quality: options.quality,
    sources,
    mask: drawn && first ? { bytes: await pngMask(drawn.bytes, first), mime: 'image/png' } : null,
  };
}

/** @throws Refusal `not_found` for one that was deleted meanwhile */
async function readSource({ readFile }: PictureDeps, userId: string, { fileId }: ImagePart): Promise<SourcePicture> {
  return (await readFile(userId, fileId, PICTURE_BYTES_MAX)) ?? refuse({ type: 'not_found', what: 'file' });
}

interface OnePicture extends Omit<PictureRequest, 'call'> {
  call: PictureCall;
  place: number;
  queue: DeltaQueue;
  failures: Failures;
}

async function makeOne(deps: PictureDeps, one: OnePicture, onMade: () => number, signal: AbortSignal): Promise<void> {
  const { provider, call, plan, place, queue, failures } = one;
  const until = withDeadline(TIMEOUT_MS, signal);
  let partials = 0;
  try {
    for await (const delta of provider(call, until)) {
      if (delta.type === 'partial') {
        if (++partials <= PARTIALS_MAX) queue.push({ type: 'place', place, part: await pendingOf(plan, delta) });
      } else {
        const part = await keep(deps, one, delta, until);
        if (signal.aborted) return;
        const made = onMade();
        queue.push({ type: 'place', place, part });
        // Told at once: a process that takes the run over charges what has come.
        queue.push({ type: 'usage', input: made, output: made });
        return failures.tellAll();
      }
    }
    refuse({ type: 'provider_broke_off' });
  } catch (error) {
    if (signal.aborted) return;
    failures.add(place, reasonOf(error, until, deps.onFault));
  }
}

function reasonOf(error: unknown, until: AbortSignal, onFault: (error: unknown) => void): Reason {
  if (until.aborted) return { type: 'provider_stalled', seconds: TIMEOUT_MS / 1000 };
  if (error instanceof Refusal) return error.reason;
  onFault(error);
  return { type: 'unknown', text: 'Something went wrong on the server.' };
}

async function pendingOf(
  { can, options: { size } }: PicturePlan,
  { bytes, progress }: Extract<PictureDelta, { type: 'partial' }>,
): Promise<PendingPicture> {
  const [width, height] = can.sizes[size];
  const preview = await renderPreview(bytes);
  return { type: 'pending_picture', width, height, progress, ...(preview !== null && { preview }) };
}

async function keep(
  deps: PictureDeps,
  { call, plan, place }: OnePicture,
  { from, revisedPrompt }: Extract<PictureDelta, { type: 'picture' }>,
  signal: AbortSignal,
): Promise<ImagePart> {
  const { userId, prompt } = call;
  const bytes = 'url' in from ? await download(deps, from.url, signal) : from.bytes;
  if (bytes.length > PICTURE_BYTES_MAX)
    refuse({ type: 'invalid_input', text: 'The picture is larger than 20 MB and was not kept.' });
  const name = `${nameFor(prompt)}-${place + 1}`;
  const part = await saveGeneratedImage(deps, { userId, bytes, name, prompt });
  const { size } = plan.options;
  return {
    ...part,
    size,
    credits: plan.credits,
    ...(revisedPrompt !== undefined && { revisedPrompt: revisedPrompt.slice(0, REVISED_MAX) }),
  };
}

/** A server that names an address may name any: it is called as addresses of people are. */
async function download({ egress }: PictureDeps, url: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await egress.download(url, { maxBytes: PICTURE_BYTES_MAX, timeoutMs: TIMEOUT_MS, signal });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return refuse({ type: 'invalid_input', text: 'The picture was made, but cannot be fetched.' });
  }
}

/** The beginning of the prompt. */
function nameFor(prompt: string): string {
  const words = prompt.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
  if (words.length <= NAME_MAX) return words || 'Picture';
  return words
    .slice(0, words.lastIndexOf(' ', NAME_MAX) + 1 || NAME_MAX)
    .trim()
    .toWellFormed();
}

/** The provider's own, where it has said one. */
function sentenceOf(reason: Reason): string {
  return 'text' in reason && reason.text ? reason.text : reasonText(reason);
}

interface Failures {
  add(place: number, reason: Reason): void;
  /** Tells those so far: a picture has come, so the answer does not fail as a whole. */
  tellAll(): void;
  /** @throws Refusal of the first where none was told */
  settle(): void;
}

/** Why pictures failed. They are told in their places where another one has come; else the answer fails with the first. */
function createFailures({ push }: DeltaQueue): Failures {
  const waiting: { place: number; reason: Reason }[] = [];
  let hasPicture = false;
  return {
    add(place, reason) {
      waiting.push({ place, reason });
      if (hasPicture) tell();
    },
    tellAll() {
      hasPicture = true;
      tell();
    },
    settle() {
      const [first] = waiting;
      if (first) refuse(first.reason);
    },
  };

  function tell(): void {
    for (const { place, reason } of waiting.splice(0))
      push({ type: 'place', place, part: { type: 'error', text: sentenceOf(reason) } });
  }
}
