// The linked message: `/c/<conversation>?message=<message>` opens it on its branch.
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the linked message, if any. */
export function findLinkedMessage(search: string = window.location.search): string | undefined {
  const messageId = new URLSearchParams(search).get('message')?.toLowerCase();
  return messageId && ID.test(messageId) ? messageId : undefined;
}

export function useLinkedMessage(): string | undefined {
  return findLinkedMessage(useSearch());
}

/** Removes it from the URL, so that the same link works again. */
export function clearLinkedMessage(): void {
  navigate(window.location.pathname, { replace: true });
}
