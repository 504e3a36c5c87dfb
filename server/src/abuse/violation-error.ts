import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '../platform/errors.ts';
import type { Actor, Violations, ViolationType } from './violations.ts';

type ViolationReason = Extract<Reason, { type: ViolationType }>;

/** A refusal that counts as a violation of the user. */
export class ViolationError extends Refusal {
  readonly violationType: ViolationType;

  constructor(reason: ViolationReason) {
    super(reason);
    this.violationType = reason.type;
  }
}

export function throwViolation(reason: ViolationReason): never {
  throw new ViolationError(reason);
}

/** Records a violation and returns the refusal with the user's score. Returns any other refusal unchanged. */
export async function recordIfViolation(violations: Violations, actor: Actor, refusal: Refusal): Promise<Refusal> {
  if (!(refusal instanceof ViolationError)) return refusal;
  return new Refusal(refusal.reason, await violations.count(actor, refusal.violationType));
}
