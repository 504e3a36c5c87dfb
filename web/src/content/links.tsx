import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const WEB_OR_MAIL = /^(?:https?:\/\/|mailto:)/i;
const OWN_IMAGE = /^\/images\/(?!.*\.\.)[\w./-]+$/;
const OWN_FILE = /^\/api\/files\/download\/[\w-]+\/[\w-]+$/;
const EMBEDDED_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,/i;

/** The URLs allowed in a message, and files of this server; others become an empty URL and their text stays text. */
export function safeAddress(address: string, attribute: string): string {
  if (WEB_OR_MAIL.test(address)) return address;
  const isShown = attribute === 'src' && EMBEDDED_IMAGE.test(address);
  const isLinked = attribute === 'href' && OWN_FILE.test(address);
  return isShown || isLinked || OWN_IMAGE.test(address) ? address : '';
}

export function SafeLink({ href, children }: { href: string | undefined; children?: ReactNode }) {
  if (!href) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Images of this server or data URLs render. A remote image is a link, because loading it would reveal the reader. */
export function MarkdownImage({ src, alt }: { src: string | undefined; alt: string | undefined }) {
  const { t } = useTranslation();
  if (!src) return alt;
  if (WEB_OR_MAIL.test(src)) return <SafeLink href={src}>{alt || t('com_content_picture')}</SafeLink>;
  return <img src={src} alt={alt ?? ''} loading="lazy" />;
}
