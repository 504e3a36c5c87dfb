import { useComputedColorScheme } from '@mantine/core';
import { recordBy } from '@parley/schema/entries';
import { asFields } from '@parley/schema/json';
import { use, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEventListener } from '../../ui/hooks/use-event-listener.ts';
import { PrintContext } from '../static-context.ts';
import classes from './diagram.module.css';

/** What the frame sends; see `public/diagram/frame.js`. */
type News = { state: 'drawn'; height: number; svg: string } | { state: 'failed' };

export type Drawing = Extract<News, { state: 'drawn' }>;

interface DiagramProps {
  source: string;
  /** Of what was drawn before; null: nothing is drawn yet, so nothing is shown. */
  drawing: Drawing | null;
  onNews: (news: News) => void;
}

/** A Mermaid diagram, drawn in a frame that has no origin and no network. */
export function Diagram({ source, drawing, onNews }: DiagramProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const isPrinted = use(PrintContext);
  const isDark = useComputedColorScheme('light') === 'dark' && !isPrinted;
  const [isUnreadable, setUnreadable] = useState(false);

  useEventListener(
    'message',
    ({ source: from, data }) => {
      if (from === frame.current?.contentWindow && isNews(data)) onNews(data);
    },
    { target: window },
  );

  // Its origin is none that could be named.
  const send = useCallback(
    () => frame.current?.contentWindow?.postMessage({ source, isDark, colours: diagramColours() }, '*'),
    [source, isDark],
  );
  // For changes after it has loaded; by the next frame the page has the colours of its new theme.
  useEffect(() => {
    const next = requestAnimationFrame(send);
    return () => cancelAnimationFrame(next);
  }, [send]);

  // Browsers may print a frame of another origin empty, as where nothing has painted it yet.
  if (isPrinted && drawing?.svg && !isUnreadable) {
    const address = `data:image/svg+xml,${encodeURIComponent(drawing.svg)}`;
    return (
      <img
        className={classes.picture}
        src={address}
        style={{ blockSize: drawing.height }}
        alt={t('com_content_diagram')}
        onError={() => setUnreadable(true)}
      />
    );
  }
  return (
    <iframe
      ref={frame}
      className={classes.frame}
      data-drawn={drawing ? drawing.svg !== '' : undefined}
      title={t('com_content_diagram')}
      src="/diagram/frame.html"
      sandbox="allow-scripts"
      height={drawing?.height ?? 0}
      onLoad={send}
    />
  );
}

/** The frame may draw for long, but sends nothing else. */
function isNews(data: unknown): data is News {
  const { state, height, svg } = asFields(data);
  if (state === 'failed') return true;
  return state === 'drawn' && typeof height === 'number' && height > 0 && typeof svg === 'string';
}

/** The tokens that a drawing is made of; `public/diagram/frame.js` gives them their places. */
const TOKENS = [
  'bg',
  'text',
  'muted',
  'edge',
  'code',
  'bubble',
  'accent',
  'accent-soft',
  'warning',
  'hl-k',
  'hl-s',
  'hl-f',
] as const;

type DiagramColours = Record<(typeof TOKENS)[number], string>;

/** The colours of the theme that the page has now. */
function diagramColours(): DiagramColours {
  const style = getComputedStyle(document.documentElement);
  return recordBy(TOKENS, (token) => style.getPropertyValue(`--p-${token}`).trim());
}
