import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import classes from './suggestions.module.css';

interface SuggestionsProps {
  suggestions: readonly string[];
  onPick: (text: string) => void;
}

/** Suggested follow-up questions; a click sends one. */
export function Suggestions({ suggestions, onPick }: SuggestionsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.suggestions} role="group" aria-label={t('com_bing_suggestions')}>
      {[...new Set(suggestions)].map((text) => (
        <Button key={text} size="sm" dir="auto" className={classes.suggestion} onClick={() => onPick(text)}>
          {text}
        </Button>
      ))}
    </div>
  );
}
