import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '../errors.ts';
import type { Offender, Violations, ViolationType } from './violations.ts';

type OffenceReason = Extract<Reason, { type: ViolationType }>;

/** A refusal that counts against who asked. */
export class Offence extends Refusal {
  readonly offence: OffenceReason;

  constructor(reason: OffenceReason) {
    super(reason);
    this.offence = reason;
  }
}

export function offend(reason: OffenceReason): never {
  throw new Offence(reason);
}

/** Does what was asked; an offence in it is counted before it is refused, and says how many there were. */
export async function countingOffences<T>(
  violations: Violations,
  offender: Offender,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Offence)) throw error;
    throw new Refusal(error.offence, await violations.count(offender, error.offence.type));
  }
}
