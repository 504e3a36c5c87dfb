import { UnstyledButton } from '@mantine/core';
import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../lib/clipboard.ts';
import classes from './code-block.module.css';

import { Cursor } from '../cursor.tsx';
import { highlight } from './highlight.tsx';

/** Longer blocks stay uncoloured until complete, because each chunk would highlight them again. */
const LONGEST_COLOURED_OPEN = 4_000;
const COPIED_MS = 3_000;

interface CodeBlockProps {
  code: string;
  language: string;
  /** More of this code is streaming in. */
  open: boolean;
  /** The cursor is inside this block. */
  cursor: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, open, cursor }: CodeBlockProps) {
  const { t } = useTranslation();
  const [wrapped, setWrapped] = useState(false);
  const plain = open && code.length > LONGEST_COLOURED_OPEN;
  return (
    <div className={classes.frame}>
      <div className={classes.header}>
        <span className={classes.language}>{language || t('com_content_code')}</span>
        <UnstyledButton className={classes.tool} aria-pressed={wrapped} onClick={() => setWrapped(!wrapped)}>
          {t('com_content_wrap')}
        </UnstyledButton>
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
    </div>
  );
});

function CopyCode({ code }: { code: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy() {
    if (await copyText(code)) setCopied((times) => times + 1);
  }
  return (
    <UnstyledButton className={classes.tool} onClick={copy}>
      <span aria-live="polite">{copied > 0 ? t('com_content_copied') : t('com_content_copy')}</span>
    </UnstyledButton>
  );
}
