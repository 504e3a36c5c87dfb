import { useTranslation } from 'react-i18next';
import { highlight } from '../content/code/highlight.tsx';
import code from '../content/code/code-block.module.css';
import classes from './artifact-view.module.css';

interface ArtifactSourceProps {
  source: string;
  language: string;
  /** Colouring it anew with each piece would hold up the page. */
  isWriting: boolean;
}

export function ArtifactSource({ source, language, isWriting }: ArtifactSourceProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.source}>
      {/* Code that scrolls has to be reachable by key. */}
      <pre
        className={code.code}
        dir="ltr"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={t('com_content_source')}
        data-source-text
      >
        <code>{isWriting ? source : highlight(source, language)}</code>
      </pre>
    </div>
  );
}
