import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const storageKey = 'mainstay.theme';
const listeners = new Set<() => void>();

/** The chosen theme; `public/theme.js` has set it before the first paint. */
function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    delete dataset['theme'];
    localStorage.removeItem(storageKey);
  } else {
    dataset['theme'] = theme;
    localStorage.setItem(storageKey, theme);
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}
