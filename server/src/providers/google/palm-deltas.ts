import { refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { readFailure } from '../compatible/read-failure.ts';
import { reasonOfStatus } from '../status.ts';

/** One piece of a streaming prediction; any field may be missing. */
export interface LoosePrediction {
  outputs?: Tensor[] | null;
  error?: { code?: number };
}

interface Tensor {
  structVal?: Record<string, Tensor> | null;
  listVal?: Tensor[] | null;
  stringVal?: string[] | null;
  boolVal?: boolean[] | null;
}

/** Text models put the text at the top, chat models in the first candidate. */
export function* palmDeltas(chunk: LoosePrediction, endpoint: string): Generator<Delta> {
  if (chunk.error) refuse(reasonOfStatus({ status: chunk.error.code ?? 500, ...readFailure({ ...chunk }) }, endpoint));
  for (const { structVal: fields } of chunk.outputs ?? []) {
    const [candidate] = fields?.candidates?.listVal ?? [];
    const text = (fields?.content ?? candidate?.structVal?.content)?.stringVal?.join('') ?? '';
    if (text !== '') yield { type: 'text', text };
    if (isBlocked(fields?.safetyAttributes)) yield { type: 'finish', reason: 'content_filter' };
  }
}

/** One safety result for a text, a list of them for candidates. */
function isBlocked(safety: Tensor | undefined): boolean {
  const first = safety?.listVal?.[0] ?? safety;
  return first?.structVal?.blocked?.boolVal?.[0] === true;
}
