import { kindOfCode, readFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import { artifactOfCode } from '@parley/schema/artifacts/find-artifacts';
import { memo, use, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ArtifactScopeContext } from '../artifacts/artifact-place.ts';
import { artifactCard, chatArtifacts, diagramBlock } from '../artifacts/lazy-artifacts.ts';
import { useShowArtifact } from '../artifacts/use-show-artifact.ts';
import { DiagramPlace } from '../diagram/diagram-place.tsx';
import { useCopied } from '../use-copied.ts';
import classes from './code-block.module.css';
import { saveFile } from '../../lib/save-file.ts';
import { codeFileName } from './code-file.ts';
import { Cursor } from '../cursor.tsx';
import { highlight, isTooLongToColour } from './highlight.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { MathBlock } from '../math/math-formula.tsx';
import { StaticContext } from '../static-context.ts';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';
import { ScrollText } from '../../ui/primitives/scroll-region.tsx';

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

interface FenceProps extends CodeBlockProps {
  /** All words after the opening fence; absent for a block within a list or a quote. */
  info?: string;
}

/** Longer sources are not drawn. */
const DIAGRAM_MAX = 50_000;

/**
 * A code block of an answer. One of Mermaid is drawn once it is complete; what is a thing of its own is a card that opens
 * beside the answer.
 */
export function Fence({ info = '', ...props }: FenceProps) {
  const { code, language, open, cursor } = props;
  const isStill = use(StaticContext);
  const scope = use(ArtifactScopeContext);
  const isDrawn = language === 'mermaid' && !open && !cursor && !isStill && code.length <= DIAGRAM_MAX;
  const isCard = scope !== null && !isStill && language !== 'mermaid';
  const artifact = useMemo(() => (isCard ? artifactOfCode(readFenceInfo(info), code) : null), [isCard, info, code]);
  const source = <CodeBlock {...props} />;
  if (artifact)
    return (
      <Reserved place={<div className={classes.card} data-place />} source={source}>
        <artifactCard.Screen
          kind={artifact.kind}
          title={artifact.title}
          language={artifact.language}
          isEdited={artifact.isEdited}
          source={code}
          isWriting={open}
        />
      </Reserved>
    );
  if (language.toLowerCase() === 'math') return <MathBlock code={code} open={open} source={source} />;
  if (!isDrawn) return source;
  return (
    <Reserved place={<DiagramPlace source={code} />} source={source}>
      <diagramBlock.Screen source={code} />
    </Reserved>
  );
}

interface ReservedProps {
  /** As large as what is to come. */
  place: ReactNode;
  /** What is read where that cannot be loaded. */
  source: ReactNode;
  /** A component from `lazyScreen`. */
  children: ReactNode;
}

/** Nobody sees code that becomes something else a moment later. */
function Reserved({ place, source, children }: ReservedProps) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <LazyBoundary isQuiet fallback={hasFailed ? source : place} onFailure={() => setFailed(true)}>
      {children}
    </LazyBoundary>
  );
}

export const CodeBlock = memo(function CodeBlock({ code, language, open, cursor }: CodeBlockProps) {
  const { t } = useTranslation();
  const [wrapped, setWrapped] = useState(false);
  const plain = open && code.length > LONGEST_COLOURED_OPEN;
  return (
    <div className={classes.frame}>
      <div className={classes.header} data-control>
        <span className={classes.language}>
          {language || t('com_content_code')}
          {!open && isTooLongToColour(code, language) && ` · ${t('com_content_uncoloured')}`}
        </span>
        <PlainButton className={classes.tool} aria-pressed={wrapped} onClick={() => setWrapped(!wrapped)}>
          {t('com_content_wrap')}
        </PlainButton>
        {!open && <OpenPreview code={code} language={language} />}
        <PlainButton
          className={classes.tool}
          onClick={() => saveFile(new Blob([code, '\n'], { type: 'text/plain' }), codeFileName(language))}
        >
          {t('com_content_download')}
        </PlainButton>
        <CopyCode code={code} />
      </div>
      <ScrollText className={classes.code} data-wrapped={wrapped || undefined} dir="ltr">
        <code>
          {plain ? code : highlight(code, language)}
          {cursor && <Cursor />}
        </code>
      </ScrollText>
    </div>
  );
});

/** Opens the page, picture or table that the code is. */
export function OpenPreview({ code, language }: Pick<CodeBlockProps, 'code' | 'language'>) {
  const { t } = useTranslation();
  const show = useShowArtifact();
  const kind = kindOfCode(language, code);
  if (!show || kind === null) return null;
  return (
    <PlainButton
      className={classes.tool}
      onPointerEnter={chatArtifacts.preload}
      onFocus={chatArtifacts.preload}
      onClick={() => show({ kind, title: null, language, source: code })}
    >
      {t('com_content_preview')}
    </PlainButton>
  );
}

function CopyCode({ code }: { code: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  return (
    <PlainButton className={classes.tool} onClick={() => copy(code)}>
      <span aria-live="polite">{copied ? t('com_content_copied') : t('com_content_copy')}</span>
    </PlainButton>
  );
}
