// Tests of this room: tests/unit/web/endpoints, tests/e2e/endpoints.
import type { TFunction } from 'i18next';

/** Why an endpoint is off, in the reader's language as far as the server's English sentence is one of the known ones. */
export function describeOff(why: string, t: TFunction): string {
  const variable = /^(\w+) is not set$/.exec(why)?.[1];
  if (variable) return t('com_endpoint_off_unset', { 0: variable });
  return why === 'ENDPOINTS leaves it out' ? t('com_endpoint_off_left_out') : why;
}
