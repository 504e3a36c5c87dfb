import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AUTO, chooseLanguage, chosenLanguage } from '../i18n.ts';
import { offeredLanguages, ownName } from '../languages.ts';
import { showToast } from '../ui/toast/toast.ts';
import { SelectField } from '../ui/fields/select-field.tsx';

interface LanguageSelectProps {
  id: string;
  testId: string;
}

/** The language of the interface. It does not affect the models' answers. */
export function LanguageSelect({ id, testId }: LanguageSelectProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(chosenLanguage);
  const languages = offeredLanguages().map((language) => ({ value: language, label: ownName(language) }));

  async function choose(language: string): Promise<void> {
    setChosen(language);
    try {
      await chooseLanguage(language);
    } catch {
      setChosen(chosenLanguage());
      showToast({ message: t('com_nav_lang_failed'), severity: 'error' });
    }
  }

  return (
    <SelectField
      id={id}
      aria-label={t('com_nav_language')}
      data-testid={testId}
      value={chosen}
      options={[{ value: AUTO, label: t('com_nav_lang_auto') }, ...languages]}
      onChange={(language) => void choose(language)}
    />
  );
}
