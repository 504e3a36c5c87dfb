import type { Config } from '../config/config.ts';
import { refuse } from '../platform/errors.ts';

/**
 * Anyone who makes a key passes here: what an administrator forbids belongs here.
 * @throws Refusal `conflict` where the operator allows no keys
 */
export function assertMayMakeKeys({ accounts }: Pick<Config, 'accounts'>): void {
  if (!accounts.allowApiKeys) refuse({ type: 'conflict', text: 'Keys for programs are switched off on this server' });
}
