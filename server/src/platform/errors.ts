import type { Reason, Violation } from '@parley/schema/reasons';

/** An error whose reason is sent to the client. Any other error is internal and only logged. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: Reason;
  /** Set when the refusal counted as a violation of the user. */
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
