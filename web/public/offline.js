// The page for a server that cannot be reached: its sentences, and a look every few seconds whether it is back. That a
// browser is offline is said only where the browser says so: else the server is down, or the network before it.
(function () {
  const sentences = {
    de: [
      'Sie sind offline',
      'Was Sie geschrieben haben, bleibt in diesem Browser. Die Seite kehrt von selbst zurück, sobald eine Verbindung besteht.',
    ],
    fr: [
      'Vous êtes hors ligne',
      'Ce que vous avez écrit est conservé dans ce navigateur. La page revient d’elle-même dès que la connexion est rétablie.',
    ],
    es: [
      'No tiene conexión',
      'Lo que ha escrito se guarda en este navegador. La página vuelve por sí sola cuando haya conexión.',
    ],
    it: [
      'Sei offline',
      'Ciò che hai scritto resta in questo browser. La pagina torna da sola quando c’è una connessione.',
    ],
    pt: [
      'Você está offline',
      'O que você escreveu fica guardado neste navegador. A página volta sozinha quando houver conexão.',
    ],
    nl: [
      'U bent offline',
      'Wat u hebt geschreven, blijft in deze browser bewaard. De pagina komt vanzelf terug zodra er verbinding is.',
    ],
    sv: [
      'Du är offline',
      'Det du har skrivit finns kvar i den här webbläsaren. Sidan kommer tillbaka av sig själv när det finns en anslutning.',
    ],
    pl: [
      'Jesteś offline',
      'To, co napisano, pozostaje w tej przeglądarce. Strona wróci sama, gdy pojawi się połączenie.',
    ],
    ru: [
      'Нет подключения',
      'Всё, что вы написали, сохранено в этом браузере. Страница вернётся сама, когда появится соединение.',
    ],
    tr: [
      'Çevrimdışısınız',
      'Yazdıklarınız bu tarayıcıda saklanır. Bağlantı kurulduğunda sayfa kendiliğinden geri gelir.',
    ],
    vi: [
      'Bạn đang ngoại tuyến',
      'Những gì bạn đã viết được giữ trong trình duyệt này. Trang sẽ tự trở lại khi có kết nối.',
    ],
    id: [
      'Anda sedang luring',
      'Yang Anda tulis tersimpan di peramban ini. Halaman kembali dengan sendirinya saat ada koneksi.',
    ],
    ja: ['オフラインです', '入力した内容はこのブラウザーに残っています。接続が戻ると、ページは自動的に表示されます。'],
    ko: ['오프라인 상태입니다', '작성한 내용은 이 브라우저에 남아 있습니다. 연결되면 페이지가 자동으로 돌아옵니다.'],
    'zh-TC': ['您目前離線', '您輸入的內容保存在此瀏覽器中。連線恢復後，頁面會自動返回。'],
    zh: ['您已离线', '您输入的内容保存在此浏览器中。连接恢复后，页面会自动返回。'],
    ar: ['أنت غير متصل', 'ما كتبته محفوظ في هذا المتصفح. تعود الصفحة من تلقاء نفسها عند عودة الاتصال.'],
    he: ['אין חיבור לרשת', 'מה שכתבת נשמר בדפדפן הזה. הדף יחזור מעצמו כשיהיה חיבור.'],
  };
  const english = [
    'You are offline',
    'What you have written is kept in this browser. The page returns by itself when there is a connection.',
  ];
  // The page as it is written: it holds where the browser has a network, in every language that does not say it yet.
  const unreachable = read();
  const language = wanted();
  say();
  addEventListener('online', say);
  addEventListener('offline', say);

  setInterval(look, 4000);
  addEventListener('online', look);

  function say() {
    const known = sentences[language] ?? sentences[language.split('-')[0]];
    const isTranslated = !navigator.onLine && known !== undefined;
    document.documentElement.lang = isTranslated ? language : 'en';
    document.documentElement.dir = isTranslated && /^(ar|he)/.test(language) ? 'rtl' : 'ltr';
    [document.querySelector('h1').textContent, document.querySelector('p').textContent] = navigator.onLine
      ? unreachable
      : (known ?? english);
  }

  function read() {
    return [document.querySelector('h1').textContent, document.querySelector('p').textContent];
  }

  async function look() {
    const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null);
    if (answer?.ok) location.reload();
  }

  function wanted() {
    try {
      const chosen = (localStorage.getItem('lang') ?? '').replaceAll('"', '');
      return chosen === '' || chosen === 'auto' ? navigator.language : chosen;
    } catch {
      return navigator.language;
    }
  }
})();
