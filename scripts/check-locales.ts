// `npm run check-locales`, before a release: counts the untranslated sentences of each language, which are shown in
// English.
import { listLanguages, missingIn, readEnglish, readLanguage } from './locales/read-locales.ts';

const english = readEnglish();
const missing = listLanguages().map((language) => ({
  language,
  keys: missingIn(language, readLanguage(language), english),
}));

for (const { language, keys } of missing) {
  console.log(`${language}  ${keys.length} missing`);
  for (const key of keys) console.log(`  ${key}`);
}
const total = missing.reduce((sum, { keys }) => sum + keys.length, 0);
console.log(
  `${Object.keys(english).length} English sentences, ${missing.length} languages, ${total} translations missing`,
);
process.exitCode = total === 0 ? 0 : 1;
