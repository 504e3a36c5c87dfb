import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatJson } from './read-arguments.ts';
import { ScrollText } from './scroll-text.tsx';
import { TextButton } from '../../ui/text-button/text-button.tsx';

const LINES_MAX = 12;
const CHARS_MAX = 1_200;

interface FoldedTextProps {
  text: string;
  /** Its accessible name. */
  label: string;
  /** Nothing is folded. */
  isWhole: boolean;
}

/** The output of a tool: its first lines, and all of it on demand. */
export function FoldedText({ text, label, isWhole }: FoldedTextProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const shown = formatJson(text);
  const isLong = shown.length > CHARS_MAX || shown.split('\n', LINES_MAX + 1).length > LINES_MAX;
  const isFolded = isLong && !isOpen && !isWhole;
  return (
    <>
      <ScrollText label={label} dir="auto" data-folded={isFolded || undefined}>
        {isFolded ? beginningOf(shown) : shown}
      </ScrollText>
      {isLong && (
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('com_ui_show_less') : t('com_ui_show_more')}
        </TextButton>
      )}
    </>
  );
}

function beginningOf(text: string): string {
  return text.split('\n', LINES_MAX).join('\n').slice(0, CHARS_MAX).toWellFormed();
}
