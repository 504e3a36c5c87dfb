// All that a provider said when it refused a request. A person is shown its beginning; what is read of it by the server,
// such as the tools that it names, may stand anywhere.
import type { Reason } from '@parley/schema/reasons';

type Refused = Extract<Reason, { type: 'provider_refused' }>;

const whole = new WeakMap<Refused, string>();

export function keepWholeText(reason: Refused, text: string): void {
  whole.set(reason, text);
}

/** The text of the reason itself where no more is kept. */
export function wholeText(reason: Refused): string {
  return whole.get(reason) ?? reason.text;
}
