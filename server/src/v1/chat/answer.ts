// Answers a chat request: whole, or as events.
import type { Delta } from '../../generation/delta.ts';
import { withTimeout } from '../../platform/deadline.ts';
import { errorBody, apiFault, UNEXPECTED } from '../api-error.ts';
import type { RunningCall } from '../../chat/api-calls/run-call.ts';
import { chatChunk, createPieceReader, createWholeAnswer, usageChunk, type AnswerHead } from './chunks.ts';
import { dataFrame, eventStream } from './event-stream.ts';

/** How long the first word is waited for before the response begins, so that most failures have a status. */
const BEGIN_MS = 10_000;

/** @throws Refusal of the provider */
export async function answerWhole(head: AnswerHead, { deltas, used }: RunningCall): Promise<Response> {
  const reader = createPieceReader();
  const answer = createWholeAnswer(head);
  for await (const delta of deltas) {
    const piece = reader.read(delta);
    if (piece) answer.add(piece);
  }
  return Response.json(answer.whole(reader.finish() ?? 'stop', used()));
}

export interface Streamed {
  includeUsage: boolean;
  /** Called when the client goes away. */
  onLeave(): void;
  onError(error: unknown): void;
}

/** @throws Refusal of the provider before its first word */
export async function answerStreamed(
  head: AnswerHead,
  call: RunningCall,
  { includeUsage, onLeave, onError }: Streamed,
): Promise<Response> {
  const first = call.deltas.next();
  // It is awaited below in any case.
  first.catch(() => undefined);
  await withTimeout(first, BEGIN_MS, () => undefined);
  return eventStream(frames(), onLeave);

  async function* frames(): AsyncGenerator<string, void> {
    const reader = createPieceReader();
    try {
      yield dataFrame(chatChunk(head, { role: 'assistant', content: '' }));
      for (let next = await first; !next.done; next = await call.deltas.next()) yield* frameOf(next.value);
      yield dataFrame(chatChunk(head, {}, reader.finish() ?? 'stop'));
      if (includeUsage) yield dataFrame(usageChunk(head, call.used()));
      yield dataFrame('[DONE]');
    } catch (error) {
      onError(error);
      // No end mark: clients know by it that an answer is whole.
      yield dataFrame(errorBody(apiFault(error) ?? UNEXPECTED));
    }

    function* frameOf(delta: Delta): Generator<string> {
      const piece = reader.read(delta);
      if (piece) yield dataFrame(chatChunk(head, piece));
    }
  }
}
