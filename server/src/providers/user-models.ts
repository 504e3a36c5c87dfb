// Model lists for a user's own key.
import { Refusal } from '../platform/errors.ts';
import type { ModelSource, UserModelSource } from './model-source.ts';

/** A user without a valid key gets no list; the ask later reports the reason. */
export function nullWhenRefused(source: UserModelSource): UserModelSource {
  return (userId) => source(userId).catch(nullIfRefused);
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** The prices that a user's own server reports must not lower what the user is charged. */
export function withoutPrices(source: ModelSource): ModelSource {
  return { ...source, read: (response) => source.read(response).map(({ rates: _reported, ...model }) => model) };
}
