import { loadSentences, startI18n } from '../../../web/src/i18n.ts';

/** Starts the interface with every English sentence, as it is once a part has loaded later. */
export async function startEnglish(): Promise<void> {
  await startI18n();
  await loadSentences();
}
