import { useEffect, useRef } from 'react';

export interface Hotkey {
  /** `c`, `/`, `mod+k`, or two keys one after the other: `g k`. */
  keys: string;
  /** What it does, for the help that `?` opens. */
  text: string;
  run: () => void;
}

/** Those of the screens that are open, the latest last. */
const active: Hotkey[] = [];
const sequenceMilliseconds = 1000;
let firstKey: { key: string; at: number } | undefined;

export function activeHotkeys(): readonly Hotkey[] {
  return active;
}

/** A key that works while the component is on the page and nobody is typing; none while `keys` is undefined. */
export function useHotkey(keys: string | undefined, text: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (keys === undefined) return undefined;
    const hotkey: Hotkey = { keys, text, run: () => latest.current() };
    active.push(hotkey);
    return () => void active.splice(active.indexOf(hotkey), 1);
  }, [keys, text]);
}

/** Answers the keys of the whole page; returns how to stop. */
export function listenForHotkeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    // What is shown once must not be left by a slip of the hand.
    if (document.querySelector('[data-modal=sticky]')) return;
    const isMod = event.metaKey || event.ctrlKey;
    if (!isMod && (isTyping(event.target) || document.querySelector('[data-modal]'))) return;
    const key = event.key.toLowerCase();
    const sequence =
      !isMod && firstKey && event.timeStamp - firstKey.at < sequenceMilliseconds
        ? `${firstKey.key} ${key}`
        : undefined;
    const wanted = isMod ? `mod+${key}` : key;
    const found =
      active.findLast((hotkey) => hotkey.keys === sequence) ??
      active.findLast((hotkey) => hotkey.keys === wanted);
    firstKey = isMod || found ? undefined : { key, at: event.timeStamp };
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
