// The service worker: shows a page of its own when the server cannot be reached. It keeps that page and nothing else, so
// it never answers with an old app, and stores nothing of a person.
const CACHE = 'offline-3';
const PAGE = '/offline.html';
const FILES = [PAGE, '/offline.js', '/offline.css', '/icon.svg'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))),
  );
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(prepare());
});

async function prepare() {
  // Else every visit would wait for this worker to start.
  await self.registration.navigationPreload?.enable();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const isOwn = FILES.includes(new URL(request.url).pathname);
  if (request.mode !== 'navigate' && !isOwn) return;
  event.respondWith(fromNetwork(event).catch(() => fromCache(request, isOwn)));
});

async function fromNetwork({ request, preloadResponse }) {
  return (await preloadResponse) ?? fetch(request);
}

async function fromCache(request, isOwn) {
  const cache = await caches.open(CACHE);
  return (await cache.match(isOwn ? request : PAGE)) ?? Response.error();
}

// Notices that reach a device without an open page; the server has encrypted them for this browser.
self.addEventListener('push', (event) => {
  const { title, body, path, tag } = event.data?.json() ?? {};
  const options = { body, tag, icon: '/icon-192.png', data: { path } };
  event.waitUntil(self.registration.showNotification(title ?? 'An answer is ready', options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path));
});

async function open(path = '/') {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => one.url === url.href);
  await (page ? page.focus() : self.clients.openWindow(url.href));
}
