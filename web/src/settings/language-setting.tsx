import { NativeSelect } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AUTO, chooseLanguage, chosenLanguage } from '../i18n.ts';
import { offeredLanguages, standardTag } from '../languages.ts';
import { showToast } from '../lib/toast.tsx';
import { Setting } from './setting.tsx';

/** The language of the interface. What the models say is not touched by it. */
export function LanguageSetting() {
  const { t } = useTranslation();
  const id = useId();
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
    <Setting name={t('com_nav_language')} controlId={id}>
      <NativeSelect
        id={id}
        data-testid="language-selector"
        value={chosen}
        data={[{ value: AUTO, label: t('com_nav_lang_auto') }, ...languages]}
        onChange={({ currentTarget }) => void choose(currentTarget.value)}
      />
    </Setting>
  );
}

/** What its speakers call it. Chinese is offered twice, and told apart by its script. */
function ownName(language: string): string {
  const { language: tongue, script } = new Intl.Locale(standardTag(language)).maximize();
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(tongue === 'zh' ? `zh-${script}` : tongue);
  return name ? name.charAt(0).toLocaleUpperCase(language) + name.slice(1) : language;
}
