// The page for a server that cannot be reached: its sentences, and a look every few seconds whether it is back. That a
// browser is offline is said only where the browser says so: else the server is down, or the network before it.
(function () {
  // By language: for a browser that is offline, and for one that finds no server.
  const sentences = {
    de: {
      offline: [
        'Sie sind offline',
        'Was Sie geschrieben haben, bleibt in diesem Browser. Die Seite kehrt von selbst zurück, sobald eine Verbindung besteht.',
      ],
      unreachable: [
        'Der Server ist nicht erreichbar',
        'Was Sie geschrieben haben, bleibt in diesem Browser. Die Seite kehrt von selbst zurück, sobald der Server wieder antwortet.',
      ],
    },
    fr: {
      offline: [
        'Vous êtes hors ligne',
        'Ce que vous avez écrit est conservé dans ce navigateur. La page revient d’elle-même dès que la connexion est rétablie.',
      ],
      unreachable: [
        'Le serveur est injoignable',
        'Ce que vous avez écrit est conservé dans ce navigateur. La page revient d’elle-même dès que le serveur répond de nouveau.',
      ],
    },
    es: {
      offline: [
        'No tiene conexión',
        'Lo que ha escrito se guarda en este navegador. La página vuelve por sí sola cuando haya conexión.',
      ],
      unreachable: [
        'No se puede acceder al servidor',
        'Lo que ha escrito se guarda en este navegador. La página vuelve por sí sola cuando el servidor responda de nuevo.',
      ],
    },
    it: {
      offline: [
        'Sei offline',
        'Ciò che hai scritto resta in questo browser. La pagina torna da sola quando c’è una connessione.',
      ],
      unreachable: [
        'Il server non è raggiungibile',
        'Ciò che hai scritto resta in questo browser. La pagina torna da sola quando il server risponde di nuovo.',
      ],
    },
    pt: {
      offline: [
        'Você está offline',
        'O que você escreveu fica guardado neste navegador. A página volta sozinha quando houver conexão.',
      ],
      unreachable: [
        'Não é possível acessar o servidor',
        'O que você escreveu fica guardado neste navegador. A página volta sozinha quando o servidor responder de novo.',
      ],
    },
    nl: {
      offline: [
        'U bent offline',
        'Wat u hebt geschreven, blijft in deze browser bewaard. De pagina komt vanzelf terug zodra er verbinding is.',
      ],
      unreachable: [
        'De server is niet bereikbaar',
        'Wat u hebt geschreven, blijft in deze browser bewaard. De pagina komt vanzelf terug zodra de server weer antwoordt.',
      ],
    },
    sv: {
      offline: [
        'Du är offline',
        'Det du har skrivit finns kvar i den här webbläsaren. Sidan kommer tillbaka av sig själv när det finns en anslutning.',
      ],
      unreachable: [
        'Servern går inte att nå',
        'Det du har skrivit finns kvar i den här webbläsaren. Sidan kommer tillbaka av sig själv när servern svarar igen.',
      ],
    },
    pl: {
      offline: [
        'Jesteś offline',
        'To, co napisano, pozostaje w tej przeglądarce. Strona wróci sama, gdy pojawi się połączenie.',
      ],
      unreachable: [
        'Serwer jest nieosiągalny',
        'To, co napisano, pozostaje w tej przeglądarce. Strona wróci sama, gdy serwer znów odpowie.',
      ],
    },
    ru: {
      offline: [
        'Нет подключения',
        'Всё, что вы написали, сохранено в этом браузере. Страница вернётся сама, когда появится соединение.',
      ],
      unreachable: [
        'Сервер недоступен',
        'Всё, что вы написали, сохранено в этом браузере. Страница вернётся сама, когда сервер снова ответит.',
      ],
    },
    tr: {
      offline: [
        'Çevrimdışısınız',
        'Yazdıklarınız bu tarayıcıda saklanır. Bağlantı kurulduğunda sayfa kendiliğinden geri gelir.',
      ],
      unreachable: [
        'Sunucuya ulaşılamıyor',
        'Yazdıklarınız bu tarayıcıda saklanır. Sunucu yeniden yanıt verdiğinde sayfa kendiliğinden geri gelir.',
      ],
    },
    vi: {
      offline: [
        'Bạn đang ngoại tuyến',
        'Những gì bạn đã viết được giữ trong trình duyệt này. Trang sẽ tự trở lại khi có kết nối.',
      ],
      unreachable: [
        'Không thể kết nối tới máy chủ',
        'Những gì bạn đã viết được giữ trong trình duyệt này. Trang sẽ tự trở lại khi máy chủ phản hồi.',
      ],
    },
    id: {
      offline: [
        'Anda sedang luring',
        'Yang Anda tulis tersimpan di peramban ini. Halaman kembali dengan sendirinya saat ada koneksi.',
      ],
      unreachable: [
        'Server tidak dapat dijangkau',
        'Yang Anda tulis tersimpan di peramban ini. Halaman kembali dengan sendirinya saat server menjawab lagi.',
      ],
    },
    ja: {
      offline: [
        'オフラインです',
        '入力した内容はこのブラウザーに残っています。接続が戻ると、ページは自動的に表示されます。',
      ],
      unreachable: [
        'サーバーに接続できません',
        '入力した内容はこのブラウザーに残っています。サーバーが応答すると、ページは自動的に表示されます。',
      ],
    },
    ko: {
      offline: [
        '오프라인 상태입니다',
        '작성한 내용은 이 브라우저에 남아 있습니다. 연결되면 페이지가 자동으로 돌아옵니다.',
      ],
      unreachable: [
        '서버에 연결할 수 없습니다',
        '작성한 내용은 이 브라우저에 남아 있습니다. 서버가 다시 응답하면 페이지가 자동으로 돌아옵니다.',
      ],
    },
    'zh-TC': {
      offline: ['您目前離線', '您輸入的內容保存在此瀏覽器中。連線恢復後，頁面會自動返回。'],
      unreachable: ['無法連線到伺服器', '您輸入的內容保存在此瀏覽器中。伺服器恢復回應後，頁面會自動返回。'],
    },
    zh: {
      offline: ['您已离线', '您输入的内容保存在此浏览器中。连接恢复后，页面会自动返回。'],
      unreachable: ['无法连接到服务器', '您输入的内容保存在此浏览器中。服务器恢复响应后，页面会自动返回。'],
    },
    ar: {
      offline: ['أنت غير متصل', 'ما كتبته محفوظ في هذا المتصفح. تعود الصفحة من تلقاء نفسها عند عودة الاتصال.'],
      unreachable: [
        'تعذر الوصول إلى الخادم',
        'ما كتبته محفوظ في هذا المتصفح. تعود الصفحة من تلقاء نفسها عندما يستجيب الخادم مجددًا.',
      ],
    },
    he: {
      offline: ['אין חיבור לרשת', 'מה שכתבת נשמר בדפדפן הזה. הדף יחזור מעצמו כשיהיה חיבור.'],
      unreachable: ['אי אפשר להגיע לשרת', 'מה שכתבת נשמר בדפדפן הזה. הדף יחזור מעצמו כשהשרת ישיב שוב.'],
    },
  };
  const [heading, text] = [document.querySelector('h1'), document.querySelector('p')];
  const english = {
    offline: [
      'You are offline',
      'What you have written is kept in this browser. The page returns by itself when there is a connection.',
    ],
    // As the page is written.
    unreachable: [heading.textContent, text.textContent],
  };
  const language = wanted();
  say();
  addEventListener('online', say);
  addEventListener('offline', say);

  setInterval(look, 4000);
  addEventListener('online', look);

  function say() {
    const known = sentences[language] ?? sentences[language.split('-')[0]];
    document.documentElement.lang = known ? language : 'en';
    document.documentElement.dir = known && /^(ar|he)/.test(language) ? 'rtl' : 'ltr';
    const said = (known ?? english)[navigator.onLine ? 'unreachable' : 'offline'];
    [heading.textContent, text.textContent] = said;
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
