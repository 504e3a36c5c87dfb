import { loadSentences } from '../../i18n.ts';

export async function loadConvoList() {
  const [list] = await Promise.all([import('../sidebar/loaded-convo-list.tsx'), loadSentences()]);
  return list.LoadedConvoList;
}
