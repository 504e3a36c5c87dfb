// The size of the text and the width of the conversation, as attributes that `global.css` reads. Before the first paint
// `public/head.js` sets the same.
import { getDefaultStore } from 'jotai/vanilla';
import { settingAtom } from '../../stored-settings.ts';

/** Follows both settings until the returned function is called. */
export function applySizes(): () => void {
  const store = getDefaultStore();
  const { dataset } = document.documentElement;
  const textSize = settingAtom('textSize');
  const wideMode = settingAtom('wideMode');
  const show = () => {
    dataset.textSize = store.get(textSize);
    dataset.wideMode = String(store.get(wideMode));
  };
  show();
  const ends = [store.sub(textSize, show), store.sub(wideMode, show)];
  return () => ends.forEach((end) => end());
}
