// Before the first paint, so that a chosen theme does not flash in the other one.
try {
  const theme = localStorage.getItem('mainstay.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing for this site: the system's theme it is.
}
