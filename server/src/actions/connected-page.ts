// The page at the end of a sign-in to another service, in the language that the browser asks for.
import { createHash } from 'node:crypto';

/** By the first part of a language tag; Chinese has two scripts. `{0}` is the service. */
const SIGNED_IN: Readonly<Record<string, string>> = {
  en: 'You are signed in to {0}. Close this page and go on in your conversation.',
  ar: 'سجّلت الدخول إلى {0}. أغلق هذه الصفحة وتابع في محادثتك.',
  de: 'Sie sind bei {0} angemeldet. Schließen Sie diese Seite und fahren Sie in Ihrer Unterhaltung fort.',
  es: 'Has iniciado sesión en {0}. Cierra esta página y sigue en tu conversación.',
  fr: 'Vous êtes connecté à {0}. Fermez cette page et poursuivez votre conversation.',
  he: 'התחברת אל {0}. אפשר לסגור את הדף הזה ולהמשיך בשיחה.',
  id: 'Anda telah masuk ke {0}. Tutup halaman ini dan lanjutkan percakapan Anda.',
  it: 'Hai effettuato l’accesso a {0}. Chiudi questa pagina e continua nella tua conversazione.',
  ja: '{0} にサインインしました。このページを閉じて、会話を続けてください。',
  ko: '{0}에 로그인했습니다. 이 페이지를 닫고 대화를 계속하세요.',
  nl: 'Je bent ingelogd bij {0}. Sluit deze pagina en ga verder in je gesprek.',
  pl: 'Zalogowano do {0}. Zamknij tę stronę i wróć do rozmowy.',
  pt: 'Você entrou em {0}. Feche esta página e continue na sua conversa.',
  ru: 'Вы вошли в {0}. Закройте эту страницу и продолжайте разговор.',
  sv: 'Du är inloggad på {0}. Stäng den här sidan och fortsätt i din konversation.',
  tr: '{0} hesabında oturum açtınız. Bu sayfayı kapatıp konuşmanıza devam edin.',
  vi: 'Bạn đã đăng nhập vào {0}. Hãy đóng trang này và tiếp tục cuộc trò chuyện.',
  zh: '您已登录 {0}。请关闭此页面，继续您的对话。',
  'zh-hant': '您已登入 {0}。請關閉此頁面，繼續您的對話。',
};

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; min-block-size: 100vh; margin: 0; place-items: center; }
main { max-inline-size: 26rem; padding: 24px; text-align: center; text-wrap: balance; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
};

/** Says that the person is signed in to `place`. */
export function connectedPage(place: string, acceptLanguage: string | undefined): string {
  const language = chooseLanguage(acceptLanguage ?? '');
  const text = (SIGNED_IN[language] ?? '').replace('{0}', () => place);
  return page(language, text);
}

/** A page with why the sign-in failed. */
export function failedPage(text: string): string {
  return page('en', text);
}

function page(language: string, text: string): string {
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
<main><p>${escapeHtml(text)}</p></main>
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
