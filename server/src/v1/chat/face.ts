// A protocol in which an answer is told.
import type { Usage } from '@parley/schema/catalog/usage';
import type { Fault } from '../api-error.ts';
import type { AnswerPiece, AnswerFinish } from './chunks.ts';

/** Tells one answer. Frames are server-sent events, as they are written; an answer that is told whole has none. */
export interface Face {
  begin(): string;
  piece(piece: AnswerPiece): string;
  end(finish: AnswerFinish, usage: Usage): string;
  /** Of an answer that breaks off. */
  fail(fault: Fault): string;
  /** The whole answer, after its end. */
  whole(finish: AnswerFinish, usage: Usage): object;
}
