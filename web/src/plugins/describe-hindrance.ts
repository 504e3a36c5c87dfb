import type { ToolHindrance } from '@parley/schema/tools/tools';
import type { TFunction } from 'i18next';
import { fieldLabel } from './field-labels.ts';

/** Why a tool cannot be chosen, in the reader's language, and who can help where its reader cannot. */
export function describeHindrance(why: ToolHindrance, t: TFunction, isOperator = true): string {
  const said = describeWhy(why, t);
  const isForOperator = why.type === 'no_search' || why.type === 'actions_off' || why.type === 'host_forbidden';
  return isForOperator && !isOperator ? `${said} ${t('com_tools_ask_operator')}` : said;
}

function describeWhy(why: ToolHindrance, t: TFunction): string {
  switch (why.type) {
    case 'no_search':
      return t('com_tools_why_no_search');
    case 'values_missing':
      return t('com_tools_why_values', { 0: why.fields.map((field) => fieldLabel(field, t)).join(', ') });
    case 'service_ended':
      return t('com_tools_why_ended');
    case 'service_moved':
      return t('com_tools_why_moved', { 0: why.name });
    case 'actions_off':
      return t('com_tools_why_actions_off');
    case 'host_forbidden':
      return t('com_tools_why_host', { 0: why.host });
    case 'service':
      return describeService(why, t);
    default:
      return why satisfies never;
  }
}

function describeService({ name, reason }: Extract<ToolHindrance, { type: 'service' }>, t: TFunction): string {
  switch (reason) {
    case 'unauthorized':
      return t('com_tools_why_sign_in', { 0: name });
    case 'forbidden_base_url':
      return t('com_tools_why_host', { 0: name });
    case 'provider_stalled':
      return t('com_tools_why_late', { 0: name });
    case 'provider_unavailable':
      return t('com_tools_why_unreachable', { 0: name });
    default:
      return t('com_tools_why_unusable', { 0: name });
  }
}
