// Two administrators at once: who comes second reads what happened, and nothing is lost.
import { refuse } from '../../platform/errors.ts';
import type { StoredProvider } from './saved-rows.ts';

/** `version` is what was read; null for a new one. @throws Refusal `conflict` */
export function assertVersion(stored: StoredProvider | undefined, version: number | null): void {
  if ((stored?.version ?? null) === version) return;
  if (version === null) refuseTaken();
  if (!stored) refuse({ type: 'conflict', text: 'Another administrator has removed this provider.' });
  const text = 'Another administrator has changed this provider meanwhile. Look at it again, and repeat your change.';
  refuse({ type: 'conflict', text });
}

export function refuseTaken(): never {
  return refuse({ type: 'conflict', text: 'There is a provider of this name already.' });
}
