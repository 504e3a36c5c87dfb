// Answers a chat request: whole, or as events.
import { withTimeout } from '../../platform/deadline.ts';
import { apiFault, UNEXPECTED } from '../api-error.ts';
import type { RunningCall } from '../../chat/api-calls/run-call.ts';
import { createPieceReader } from './chunks.ts';
import { eventStream } from './event-stream.ts';
import type { Face } from './face.ts';

/** How long the first word is waited for before the response begins, so that most failures have a status. */
const BEGIN_MS = 10_000;

/** @throws Refusal of the provider */
export async function answerWhole(face: Face, { deltas, used }: RunningCall): Promise<Response> {
  const reader = createPieceReader();
  for await (const delta of deltas) {
    const piece = reader.read(delta);
    if (piece) face.piece(piece);
  }
  return Response.json(face.whole(reader.finish() ?? 'stop', used()));
}

export interface Streamed {
  /** Called when the client goes away. */
  onLeave(): void;
  onError(error: unknown): void;
}

/** @throws Refusal of the provider before its first word */
export async function answerStreamed(face: Face, call: RunningCall, { onLeave, onError }: Streamed): Promise<Response> {
  const first = call.deltas.next();
  // It is awaited below in any case.
  first.catch(() => undefined);
  await withTimeout(first, BEGIN_MS, () => undefined);
  return eventStream(frames(), onLeave);

  async function* frames(): AsyncGenerator<string, void> {
    const reader = createPieceReader();
    try {
      yield face.begin();
      for (let next = await first; !next.done; next = await call.deltas.next()) {
        const piece = reader.read(next.value);
        const frame = piece ? face.piece(piece) : '';
        if (frame !== '') yield frame;
      }
      yield face.end(reader.finish() ?? 'stop', call.used());
    } catch (error) {
      onError(error);
      yield face.fail(apiFault(error) ?? UNEXPECTED);
    }
  }
}
