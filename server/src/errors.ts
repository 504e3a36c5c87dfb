import type { Reason } from '@parley/schema/reasons';

/** A refusal that the client is told in full. Anything else that is thrown is a fault of ours and stays in the log. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.type);
    this.reason = reason;
  }
}

export function refuse(reason: Reason): never {
  throw new Refusal(reason);
}
