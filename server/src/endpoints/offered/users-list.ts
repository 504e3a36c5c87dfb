// The lists of models that users' own keys open.
import { Refusal } from '../../errors.ts';
import type { ModelSource, UsersSource } from '../models.ts';

/** Who has no key yet, or no good one, has no list; they are told so when they ask. */
export function openedByUser(source: UsersSource): UsersSource {
  return (userId) => source(userId).catch(nullIfRefused);
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** What somebody's own server says of its prices is no reason to charge them less. */
export function withoutPrices(source: ModelSource): ModelSource {
  return { ...source, read: (answer) => source.read(answer).map(({ rates: _told, ...model }) => model) };
}
