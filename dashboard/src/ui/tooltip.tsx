import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { Keys } from '#ui/keys.tsx';

interface Hint {
  text: string;
  keys?: string | undefined;
}
interface Shown extends Hint {
  anchor: Element;
}

/** One for the whole page, which moves: a list has hundreds of things that it may be about. */
let shown: Shown | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const delayMilliseconds = 400;

function set(next: Shown | undefined): void {
  clearTimeout(timer);
  shown = next;
  for (const listener of listeners) listener();
}
function showSoon(next: Shown): void {
  clearTimeout(timer);
  timer = setTimeout(() => set(next), delayMilliseconds);
}
function hide(): void {
  if (shown) set(undefined);
  else clearTimeout(timer);
}

interface Handlers {
  onPointerEnter?: (event: PointerEvent) => void;
  onPointerLeave?: (event: PointerEvent) => void;
  onPointerDown?: (event: PointerEvent) => void;
  onFocus?: (event: FocusEvent) => void;
  onBlur?: (event: FocusEvent) => void;
}

/** A word or two about the element inside, on hover and focus. What is needed to act never stands in one. */
export function Tooltip({ text, keys, children }: Hint & { children: ReactElement }) {
  const own = children.props as Handlers;
  return cloneElement(children as ReactElement<Handlers>, {
    onPointerEnter: (event) => {
      own.onPointerEnter?.(event);
      if (event.pointerType === 'mouse') showSoon({ anchor: event.currentTarget, text, keys });
    },
    onPointerLeave: (event) => {
      own.onPointerLeave?.(event);
      hide();
    },
    onPointerDown: (event) => {
      own.onPointerDown?.(event);
      hide();
    },
    onFocus: (event) => {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible'))
        showSoon({ anchor: event.currentTarget, text, keys });
    },
    onBlur: (event) => {
      own.onBlur?.(event);
      hide();
    },
  });
}

/** Around everything that has tooltips. */
export function Tooltips({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <Bubble />
    </>
  );
}

const gap = 6;

function Bubble() {
  const current = useSyncExternalStore(subscribe, () => shown);
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!current) return undefined;
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('scroll', hide, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('scroll', hide, true);
    };
  }, [current]);
  useLayoutEffect(() => {
    const element = bubble.current;
    if (!element || !current) return;
    // Above everything else, dialogs too, which stand in the top layer or in a portal.
    element.showPopover();
    const anchor = current.anchor.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const left = Math.max(gap, Math.min(anchor.left + (anchor.width - width) / 2, innerWidth - width - gap));
    const above = anchor.top - height - gap;
    element.style.left = `${left}px`;
    element.style.top = `${above < gap ? anchor.bottom + gap : above}px`;
  }, [current]);
  if (!current?.anchor.isConnected) return null;
  return (
    <div
      ref={bubble}
      popover="manual"
      role="tooltip"
      className="popup pointer-events-none fixed inset-auto m-0 flex max-w-72 items-center gap-2 rounded-md! px-2 py-1 text-xs"
    >
      {current.text}
      {current.keys && <Keys text={current.keys} />}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
