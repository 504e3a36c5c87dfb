import { refuse } from '../../platform/errors.ts';

export function refuseGone(): never {
  return refuse({ type: 'conflict', text: 'Another administrator has removed this group.' });
}
