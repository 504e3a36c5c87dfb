// The page at the end of a sign-in to another service, in the language that the browser asks for.
import { createHash } from 'node:crypto';

/** By the first part of a language tag; Chinese has two scripts. `{0}` is the service. */
const SIGNED_IN: Readonly<Record<string, string>> = {
  en: 'You are signed in to {0}. Close this page and go on in your chat.',
  ar: 'سجّلت الدخول إلى {0}. أغلق هذه الصفحة وتابع في محادثتك.',
  de: 'Sie sind bei {0} angemeldet. Schließen Sie diese Seite und fahren Sie in Ihrem Chat fort.',
  es: 'Has iniciado sesión en {0}. Cierra esta página y sigue en tu chat.',
  fr: 'Vous êtes connecté à {0}. Fermez cette page et poursuivez votre conversation.',
  he: 'התחברת אל {0}. אפשר לסגור את הדף הזה ולהמשיך בשיחה.',
  id: 'Anda telah masuk ke {0}. Tutup halaman ini dan lanjutkan obrolan Anda.',
  it: 'Hai effettuato l’accesso a {0}. Chiudi questa pagina e continua nella tua chat.',
  ja: '{0} にサインインしました。このページを閉じて、チャットを続けてください。',
  ko: '{0}에 로그인했습니다. 이 페이지를 닫고 채팅을 계속하세요.',
  nl: 'Je bent ingelogd bij {0}. Sluit deze pagina en ga verder in je chat.',
  pl: 'Zalogowano do {0}. Zamknij tę stronę i wróć do czatu.',
  pt: 'Você entrou em {0}. Feche esta página e continue na sua conversa.',
  ru: 'Вы вошли в {0}. Закройте эту страницу и продолжайте чат.',
  sv: 'Du är inloggad på {0}. Stäng den här sidan och fortsätt i din chatt.',
  tr: '{0} hesabında oturum açtınız. Bu sayfayı kapatıp sohbetinize devam edin.',
  vi: 'Bạn đã đăng nhập vào {0}. Hãy đóng trang này và tiếp tục cuộc trò chuyện.',
  zh: '您已登录 {0}。请关闭此页面，继续您的对话。',
  'zh-hant': '您已登入 {0}。請關閉此頁面，繼續您的對話。',
};

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; min-block-size: 100vh; margin: 0; padding: 16px; box-sizing: border-box; place-items: center; background: light-dark(#f6f5f2, #191816); color: light-dark(#1f1e1b, #ece9e3); }
main { max-inline-size: 26rem; padding: 32px 24px; border: 1px solid light-dark(#e2dfd8, #3a3834); border-radius: 18px; background: light-dark(#fff, #242320); text-align: center; text-wrap: balance; }
svg { inline-size: 40px; block-size: 40px; fill: none; stroke: light-dark(#0f766e, #2dd4bf); stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
p { margin: 12px 0 0; overflow-wrap: anywhere; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
};

/** Says that the person is signed in to `place`. */
export function connectedPage(location: string, acceptLanguage: string | undefined): string {
  const language = chooseLanguage(acceptLanguage ?? '');
  const text = (SIGNED_IN[language] ?? '').replace('{0}', () => location);
  return page(language, text, DONE);
}

/** A page with why the sign-in failed. */
export function failedPage(text: string): string {
  return page('en', text, FAILED);
}

const DONE = '<circle cx="12" cy="12" r="9"/><path d="m8.5 12 2.5 2.5 4.5-5"/>';
const FAILED = '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5m0 3.5v.01"/>';

function page(language: string, text: string, sign: string): string {
  const direction = language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<style>${STYLE}</style>
</head>
<body>
<main><svg viewBox="0 0 24 24" aria-hidden="true">${sign}</svg><p>${escapeHtml(text)}</p></main>
</body>
</html>
`;
}

/** The first language of the header that is known, without regard to weights: browsers sort them. */
function chooseLanguage(header: string): string {
  for (const one of header.toLowerCase().split(',').slice(0, 20)) {
    const tag = one.split(';')[0]?.trim() ?? '';
    if (/^zh-(?:tw|hk|mo|hant)/.test(tag)) return 'zh-hant';
    const language = tag.split('-')[0] ?? '';
    if (Object.hasOwn(SIGNED_IN, language)) return language;
  }
  return 'en';
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
