// Runs before the page is drawn, so that a chosen theme does not flash. A browser may refuse the storage.
try {
  document.documentElement.dataset.theme = localStorage.getItem('tsd-theme') || 'os';
} catch {
  document.documentElement.dataset.theme = 'os';
}
