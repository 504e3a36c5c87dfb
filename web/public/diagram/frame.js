// Draws one diagram after the other, in a frame without an origin: it reaches no cookie, no storage, no network and no
// other window. The page sends the source and gets the size and the drawing, which it only ever saves as a file.
/* global mermaid */
(function () {
  'use strict';

  /** As the page's own limit. */
  var SOURCE_MAX = 50000;
  var count = 0;

  window.addEventListener('message', function (event) {
    if (event.source !== window.parent) return;
    draw(event.data).then(tell, function () {
      tell({ state: 'failed' });
    });
  });

  /** Only the newest wish is answered. */
  async function draw(wish) {
    var number = ++count;
    // A frame of another scheme than its page's would have a background of its own.
    document.documentElement.style.colorScheme = wish.isDark ? 'dark' : 'light';
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      maxTextSize: SOURCE_MAX,
      theme: wish.isDark ? 'dark' : 'default',
      fontFamily: 'system-ui, sans-serif',
    });
    var drawn = await mermaid.render('diagram-' + number, String(wish.source));
    if (number !== count) return null;
    document.body.innerHTML = drawn.svg;
    var box = document.body.firstElementChild.getBoundingClientRect();
    return { state: 'drawn', height: Math.ceil(box.height), svg: drawn.svg };
  }

  function tell(news) {
    if (news) window.parent.postMessage(news, '*');
  }
})();
