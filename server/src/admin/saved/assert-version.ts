// Two administrators at once: who comes second reads what happened, and nothing is lost.
import { refuse } from '../../platform/errors.ts';

/** `version` is what was read; null for a new one. @throws Refusal `conflict` */
export function assertVersion(stored: { version: number } | undefined, version: number | null): void {
  if ((stored?.version ?? null) === version) return;
  if (version === null) refuseTaken();
  if (!stored) refuse({ type: 'conflict', text: 'Another administrator has removed this.' });
  const text = 'Another administrator has changed this meanwhile. Look at it again, and repeat your change.';
  refuse({ type: 'conflict', text });
}

export function refuseTaken(): never {
  return refuse({ type: 'conflict', text: 'There is one of this name already.' });
}
