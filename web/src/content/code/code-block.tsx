import { memo, use, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../use-copied.ts';
import classes from './code-block.module.css';
import { saveFile } from '../../lib/save-file.ts';
import { codeFileName } from './code-file.ts';
import { Cursor } from '../cursor.tsx';
import { highlight } from './highlight.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { StaticContext } from '../static-context.ts';
import { previewOf } from '../preview/previewed.ts';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';

/** Longer blocks stay uncoloured until complete, because each chunk would highlight them again. */
const LONGEST_COLOURED_OPEN = 4_000;

interface CodeBlockProps {
  code: string;
  language: string;
  /** More of this code is streaming in. */
  open: boolean;
  /** The cursor is inside this block. */
  cursor: boolean;
}

const readDrawn = () => import('./drawn-code.ts');
const diagram = lazyScreen(async () => (await readDrawn()).DiagramBlock);
const preview = lazyScreen(async () => (await readDrawn()).Preview);
/** Longer sources are not drawn. */
const DIAGRAM_MAX = 50_000;

/** A code block of an answer; one of Mermaid is drawn once it is complete. */
export function Fence(props: CodeBlockProps) {
  const { code, language, open, cursor } = props;
  const isStill = use(StaticContext);
  const isDrawn = language === 'mermaid' && !open && !cursor && !isStill && code.length <= DIAGRAM_MAX;
  const source = <CodeBlock {...props} />;
  if (!isDrawn) return source;
  return (
    <LazyBoundary isQuiet fallback={source}>
      <diagram.Screen source={code} />
    </LazyBoundary>
  );
}

export const CodeBlock = memo(function CodeBlock({ code, language, open, cursor }: CodeBlockProps) {
  const { t } = useTranslation();
  const [wrapped, setWrapped] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  const id = useId();
  const kind = open ? null : previewOf(language, code);
  const plain = open && code.length > LONGEST_COLOURED_OPEN;
  return (
    <div className={classes.frame}>
      <div className={classes.header} data-control>
        <span className={classes.language}>{language || t('com_content_code')}</span>
        <PlainButton className={classes.tool} aria-pressed={wrapped} onClick={() => setWrapped(!wrapped)}>
          {t('com_content_wrap')}
        </PlainButton>
        {kind && (
          <PlainButton
            className={classes.tool}
            aria-expanded={isPreviewed}
            aria-controls={isPreviewed ? id : undefined}
            onPointerEnter={preview.preload}
            onFocus={preview.preload}
            onClick={() => setPreviewed(!isPreviewed)}
          >
            {t('com_content_preview')}
          </PlainButton>
        )}
        <PlainButton
          className={classes.tool}
          onClick={() => saveFile(new Blob([code, '\n'], { type: 'text/plain' }), codeFileName(language))}
        >
          {t('com_content_download')}
        </PlainButton>
        <CopyCode code={code} />
      </div>
      {/* Code that scrolls has to be reachable by key. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes.code} data-wrapped={wrapped || undefined} dir="ltr" tabIndex={0}>
        <code>
          {plain ? code : highlight(code, language)}
          {cursor && <Cursor />}
        </code>
      </pre>
      {kind && isPreviewed && (
        <LazyBoundary>
          <preview.Screen id={id} code={code} isSvg={kind === 'picture'} />
        </LazyBoundary>
      )}
    </div>
  );
});

function CopyCode({ code }: { code: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  return (
    <PlainButton className={classes.tool} onClick={() => copy(code)}>
      <span aria-live="polite">{copied ? t('com_content_copied') : t('com_content_copy')}</span>
    </PlainButton>
  );
}
