// Passkeys, where the browser has them: at https or localhost, and at a name.
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import type { TFunction } from 'i18next';
import { describeError } from '../../errors/describe-error.ts';

/** Without extensions, which the server asks for none of. */
type CreationOptions = Omit<Parameters<typeof startRegistration>[0]['optionsJSON'], 'extensions'>;
type RequestOptions = Omit<Parameters<typeof startAuthentication>[0]['optionsJSON'], 'extensions'>;

export function canUsePasskeys({ hostname } = window.location): boolean {
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.includes(':');
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress;
}

export function makePasskey(optionsJSON: CreationOptions) {
  return startRegistration({ optionsJSON });
}

export function askPasskey(optionsJSON: RequestOptions) {
  return startAuthentication({ optionsJSON });
}

/** Null where the person has cancelled the browser's dialog, or let it time out: they know. */
export function describePasskeyFailure(error: unknown, t: TFunction): string | null {
  const { name } = error instanceof Error ? error : { name: '' };
  if (name === 'NotAllowedError' || name === 'AbortError') return null;
  if (name === 'InvalidStateError') return t('com_passkey_exists');
  if (error instanceof WebAuthnError || error instanceof DOMException) return t('com_passkey_unusable');
  return describeError(error, t);
}
