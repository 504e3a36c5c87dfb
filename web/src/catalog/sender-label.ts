import type { Message } from '@parley/schema/messages/messages';
import { endpointLabel } from './choose-model.ts';

/** The sender that a custom endpoint without a label of its own has. */
const UNNAMED = 'AI';

/** The sender as people read it: a custom endpoint without a label goes by its name. */
export function senderLabel({
  sender,
  endpoint,
  endpointType,
}: Pick<Message, 'sender' | 'endpoint' | 'endpointType'>): string {
  return endpointType === 'custom' && sender === UNNAMED ? endpointLabel(endpoint) : sender;
}
