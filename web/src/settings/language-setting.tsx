import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AUTO, chooseLanguage, chosenLanguage } from '../i18n.ts';
import { offeredLanguages, ownName } from '../languages.ts';
import { showToast } from '../ui/toast/toast.ts';
import { fieldClasses } from '../ui/fields/field-classes.ts';

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
    <NativeSelect
      id={id}
      classNames={fieldClasses}
      data-testid={testId}
      value={chosen}
      data={[{ value: AUTO, label: t('com_nav_lang_auto') }, ...languages]}
      onChange={({ currentTarget }) => void choose(currentTarget.value)}
    />
  );
}
