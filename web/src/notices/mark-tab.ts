// The mark of a tab: a dot and the name of a chat in its title, and a dot on its icon.
import type { Convo } from '@parley/schema/convos/convos';
import { i18n } from '../i18n.ts';

const DOT = '● ';
const MARKED_ICON = '/icon-unseen.svg';

/** What the page would be called, while it is marked. */
let plain: { title: string; icon: string } | null = null;
let marked = '';
let observer: MutationObserver | null = null;

/** Marks the tab with the name of a chat; null takes the mark away. */
export function markTab(convo: Pick<Convo, 'title'> | null): void {
  if (!convo) return unmark();
  const icon = iconLink();
  plain ??= { title: document.title, icon: icon?.getAttribute('href') ?? '' };
  marked = DOT + (convo.title ?? i18n.t('com_ui_new_chat'));
  icon?.setAttribute('href', MARKED_ICON);
  observer ??= keepTitle();
  document.title = marked;
}

function unmark(): void {
  if (!plain) return;
  observer?.disconnect();
  observer = null;
  document.title = plain.title;
  iconLink()?.setAttribute('href', plain.icon);
  plain = null;
}

/** The title goes on to follow what is opened; the mark stays. */
function keepTitle(): MutationObserver {
  const keeper = new MutationObserver(() => {
    if (!plain || document.title === marked) return;
    plain.title = document.title;
    document.title = marked;
  });
  keeper.observe(document.head, { childList: true, subtree: true, characterData: true });
  return keeper;
}

function iconLink(): HTMLLinkElement | null {
  return document.querySelector('link[rel="icon"]');
}
