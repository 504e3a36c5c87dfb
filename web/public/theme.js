// Runs before the first paint, so that nobody who chose the dark theme ever sees a white flash. It is a file of its own
// because the content security policy allows no inline script.
(function () {
  let chosen = null;
  try {
    chosen = localStorage.getItem('color-theme');
  } catch {
    // A browser that forbids storage gets the system's theme.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
