import type { Reason, Violation } from '@parley/schema/reasons';

/** A refusal that the client is told in full. Anything else that is thrown is a fault of ours and stays in the log. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: Reason;
  /** Where it was counted against who asked. */
  readonly violation: Violation | null;

  constructor(reason: Reason, violation: Violation | null = null) {
    super(reason.type);
    this.reason = reason;
    this.violation = violation;
  }
}

export function refuse(reason: Reason): never {
  throw new Refusal(reason);
}
