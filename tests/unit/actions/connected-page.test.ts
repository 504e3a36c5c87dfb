// The page at the end of a sign-in to another service.
import { connectedPage, failedPage } from '@parley/server/actions/connected-page';
import { expect, test } from 'vitest';

test.each([
  [undefined, 'lang="en"', 'You are signed in to Mail.'],
  ['de-CH,de;q=0.9,en;q=0.8', 'lang="de"', 'Sie sind bei Mail angemeldet.'],
  ['xx, ar-EG;q=0.5', 'dir="rtl"', 'Mail'],
  ['zh-TW', 'lang="zh-hant"', '您已登入 Mail'],
])('speaks the language of the browser: %s', (header, attribute, text) => {
  const page = connectedPage('Mail', header);
  expect(page).toContain(attribute);
  expect(page).toContain(text);
});

test('shows the name of a service as text', () => {
  expect(connectedPage('<b>$& "x"</b>', 'en')).toContain('&lt;b&gt;$&amp; &quot;x&quot;&lt;/b&gt;');
  expect(failedPage('<script>')).not.toContain('<script>');
});
