import './lazy-words.ts';
import { useTranslation } from 'react-i18next';
import classes from './suggestions.module.css';

interface SuggestionsProps {
  suggestions: readonly string[];
  onPick: (text: string) => void;
}

/** What may be asked next: each sends itself. */
export function Suggestions({ suggestions, onPick }: SuggestionsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.suggestions} role="group" aria-label={t('com_bing_suggestions')}>
      {suggestions.map((text, index) => (
        <button key={index} type="button" dir="auto" className={classes.suggestion} onClick={() => onPick(text)}>
          {text}
        </button>
      ))}
    </div>
  );
}
