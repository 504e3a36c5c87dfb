// The form of an action: what is edited, why it cannot be saved yet, and what is sent.
import type { SaveAssistantAction } from '@parley/schema/assistants/assistant-inputs';
import {
  SPEC_OPERATIONS_MAX,
  type Action,
  type ActionWithDocument,
  type ListedOperation,
  type ParsedSpec,
  type SpecStatus,
} from '@parley/schema/assistants/actions';
import type { TFunction } from 'i18next';

/** A longer document, in characters, is neither shown nor stored with what is not saved yet. */
export const LONG_DOCUMENT = 200_000;

export interface ActionForm {
  rawSpec: string;
  /** Whether somebody has chosen from the operations; else all are on, at most 100. */
  isChosen: boolean;
  /** The names of those that were chosen. They stay while the document changes. */
  operations: string[];
  /** `oauth` only of actions that were made by other clients: it stays as it is. */
  authType: 'none' | 'service_http' | 'oauth';
  authorizationType: 'basic' | 'bearer' | 'custom';
  header: string;
  /** Empty: the saved key stays. */
  apiKey: string;
  privacyPolicyUrl: string;
}

export type ActionFault = 'key_missing' | 'header_missing' | 'privacy_invalid';

/** What the reading of the document has come to. */
export type SpecState =
  | { status: 'empty' }
  | { status: 'reading' }
  | { status: 'refused'; sentence: string }
  | { status: 'read'; spec: ParsedSpec };

export function formOfAction(action: ActionWithDocument | null): ActionForm {
  const auth = action?.auth ?? { type: 'none' };
  return {
    rawSpec: action?.rawSpec ?? '',
    isChosen: (action?.chosen ?? null) !== null,
    operations: action?.chosen ?? [],
    authType: auth.type,
    authorizationType: auth.type === 'service_http' ? auth.authorizationType : 'basic',
    header: auth.type === 'service_http' ? (auth.customAuthHeader ?? '') : '',
    apiKey: '',
    privacyPolicyUrl: action?.privacyPolicyUrl ?? '',
  };
}

/** The names of the operations that are on, in the order of the document. */
export function operationsOn({ isChosen, operations }: ActionForm, listed: readonly ListedOperation[]): string[] {
  const chosen = new Set(operations);
  const on = isChosen ? listed.filter(({ name }) => chosen.has(name)) : listed;
  return on.slice(0, SPEC_OPERATIONS_MAX).map(({ name }) => name);
}

/** Switches operations on, as many as there may be, or off. All of a small document are no choice: new ones join them. */
export function withOperations(
  form: ActionForm,
  listed: readonly ListedOperation[],
  names: readonly string[],
  isOn: boolean,
): Pick<ActionForm, 'isChosen' | 'operations'> {
  const changed = new Set(names);
  const before = operationsOn(form, listed);
  const others = before.filter((name) => !changed.has(name));
  const operations = isOn ? [...new Set([...before, ...names])].slice(0, SPEC_OPERATIONS_MAX) : others;
  return operations.length === listed.length ? { isChosen: false, operations: [] } : { isChosen: true, operations };
}

/** Why the credentials or the address cannot be saved. */
export function actionFaults(form: ActionForm, saved: Action | null): ActionFault[] {
  const { authType, authorizationType, header, apiKey, privacyPolicyUrl } = form;
  const hasKey = apiKey.trim() !== '' || (saved?.auth.type === 'service_http' && saved.hasSecrets);
  const isKeyed = authType === 'service_http';
  const address = privacyPolicyUrl.trim();
  const isAddress = address === '' || (/^https?:\/\//i.test(address) && URL.canParse(address));
  return [
    ...(isKeyed && !hasKey ? ['key_missing' as const] : []),
    ...(isKeyed && authorizationType === 'custom' && header.trim() === '' ? ['header_missing' as const] : []),
    ...(isAddress ? [] : ['privacy_invalid' as const]),
  ];
}

/** Whether it can be saved: the document is valid, has a domain, and one of its operations is on. */
export function canSaveAction(form: ActionForm, spec: SpecState, saved: Action | null): boolean {
  const isValid = spec.status === 'read' && spec.spec.status === 'valid';
  if (!isValid || spec.spec.domain === null || actionFaults(form, saved).length > 0) return false;
  return operationsOn(form, spec.spec.operations).length > 0;
}

/** @param listed the operations of the document */
export function inputOfAction(
  form: ActionForm,
  listed: readonly ListedOperation[],
  assistantId: string,
  saved: Action | null,
): SaveAssistantAction {
  const { rawSpec, isChosen, apiKey, privacyPolicyUrl } = form;
  const isKeyed = form.authType === 'service_http';
  return {
    assistantId,
    ...(saved && { actionId: saved.id }),
    rawSpec,
    operations: isChosen ? operationsOn(form, listed) : null,
    privacyPolicyUrl: privacyPolicyUrl.trim() || null,
    auth: authOf(form, saved),
    ...(isKeyed && apiKey.trim() !== '' && { apiKey: apiKey.trim() }),
  };
}

function authOf(
  { authType, authorizationType, header }: ActionForm,
  saved: Action | null,
): SaveAssistantAction['auth'] {
  if (authType === 'oauth' && saved?.auth.type === 'oauth')
    return { ...saved.auth, grant: saved.auth.grant ?? 'client_credentials' };
  if (authType !== 'service_http') return { type: 'none' };
  const customAuthHeader = authorizationType === 'custom' ? header.trim() : null;
  return { type: 'service_http', authorizationType, customAuthHeader };
}

/** The sentence for a document that was read. */
export function describeSpec(status: SpecStatus, t: TFunction): string {
  switch (status) {
    case 'valid':
      return t('com_actions_valid');
    case 'unreadable':
      return t('com_actions_unreadable');
    case 'no_url':
      return t('com_actions_no_url');
    case 'no_paths':
    case 'no_operations':
      return t('com_actions_no_paths');
    case 'too_long':
    case 'too_complex':
      return t('com_actions_too_large');
    default:
      return status satisfies never;
  }
}

/** The server's warning in this language, where it is one of those that people know. */
export function describeWarning(warning: string, t: TFunction): string {
  const reference = /^Reference (.+) not found$/.exec(warning)?.[1];
  if (reference !== undefined) return t('com_actions_unknown_ref', { 0: reference });
  const method = /^Unsupported HTTP method: (.+)$/.exec(warning)?.[1];
  return method === undefined ? warning : t('com_actions_method', { 0: method });
}
