import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { highlight } from '../content/code/highlight.tsx';
import block from '../content/code/code-block.module.css';
import { Button } from '../ui/button.tsx';
import classes from './artifact-view.module.css';
import bar from './run/run-bar.module.css';
import { ScrollText } from '../ui/primitives/scroll-region.tsx';

interface ArtifactSourceProps {
  source: string;
  language: string;
  /** Colouring it anew with each piece would hold up the page. */
  isWriting: boolean;
  /** Begins an edit; absent where it cannot be edited. */
  onEdit?: (() => void) | undefined;
  /** Asks for a change of the lines that are selected, which may be none; absent where nothing can be asked. */
  onChange?: ((lines: string) => void) | undefined;
}

export function ArtifactSource({ source, language, isWriting, onEdit, onChange }: ArtifactSourceProps) {
  const { t } = useTranslation();
  const code = useRef<HTMLPreElement>(null);
  return (
    <div className={classes.source}>
      <ScrollText
        ref={code}
        className={block.code}
        dir="ltr"
        role="region"
        aria-label={t('com_content_source')}
        data-source-text
      >
        <code>{isWriting ? source : highlight(source, language)}</code>
      </ScrollText>
      {onChange && (
        <div className={bar.bar}>
          <div className={bar.state}>
            <span>{t('com_artifact_change_hint')}</span>
            {onEdit && (
              <Button size="sm" onClick={onEdit}>
                {t('com_ui_edit')}
              </Button>
            )}
            <Button
              size="sm"
              // A press would otherwise end the selection.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChange(selectedIn(code.current))}
            >
              {t('com_artifact_change')}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

function selectedIn(element: HTMLElement | null): string {
  const selection = document.getSelection();
  if (!element || !selection || selection.isCollapsed) return '';
  return element.contains(selection.anchorNode) && element.contains(selection.focusNode) ? selection.toString() : '';
}
