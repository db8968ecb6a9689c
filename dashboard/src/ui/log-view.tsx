import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDownToLine, Link2 } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';
import { useCopy } from '#ui/copy-button.tsx';
import { FilterField } from '#ui/filter-field.tsx';

export interface LogLine {
  id: string;
  /** ISO 8601. */
  time: string;
  level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  message: string;
  /** What printed it, where several do. */
  source?: string | null;
}

interface LogViewProps {
  label: string;
  /** Oldest first; new ones are added at the end. */
  lines: readonly LogLine[];
  /** More lines may come: the view follows their end until somebody scrolls up. */
  live?: boolean;
  /** Opens at the end, live or not. */
  atEnd?: boolean;
  /** In the place of a search among the lines that are here: the server does it. */
  controls?: ReactNode;
  /** The line that the address names, and how to put one into it. */
  line?: string | undefined;
  onLine?: (id: string) => void;
  /** Said while there are none. */
  empty?: string;
}

const lineHeight = 20;
const tones = { DEBUG: 'text-faint', INFO: '', WARN: 'text-warning', ERROR: 'text-danger' };
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** Lines of a log: only those in sight are in the page. Follows the end, searches, and has an address for each line. */
export function LogView(props: LogViewProps) {
  const { label, lines, live = false, atEnd = live, controls, line, onLine, empty = 'No lines yet.' } = props;
  const [filter, setFilter] = useState('');
  const [follows, setFollows] = useState(atEnd && line === undefined);
  const { copy } = useCopy();
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    return wanted === '' ? lines : lines.filter(({ message }) => message.toLowerCase().includes(wanted));
  }, [lines, filter]);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });
  const [first, last] = [shown[0]?.id, shown.at(-1)?.id];
  const wasFirst = useRef(first);
  // Lines that come before the first one leave those in sight where they are.
  useLayoutEffect(() => {
    const before = wasFirst.current === first ? 0 : shown.findIndex(({ id }) => id === wasFirst.current);
    if (before > 0 && scroller.current) scroller.current.scrollTop += before * lineHeight;
    wasFirst.current = first;
  }, [first, shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another line is the last one.
  useEffect(() => {
    if (follows && shown.length > 0) virtual.scrollToIndex(shown.length - 1, { align: 'end' });
  }, [follows, last, virtual]);
  const at = line === undefined ? -1 : shown.findIndex(({ id }) => id === line);
  const wasShown = useRef('');
  useEffect(() => {
    if (line === undefined || at < 0 || wasShown.current === line) return;
    wasShown.current = line;
    virtual.scrollToIndex(at, { align: 'center' });
  }, [line, at, virtual]);
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < lineHeight * 2;
    if (isAtEnd !== follows) setFollows(isAtEnd);
  };
  return (
    <section aria-label={label}>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        {controls ?? (
          <FilterField label={`Search ${label.toLowerCase()}`} value={filter} onChange={setFilter} />
        )}
        <span role="status" className="text-muted">
          {shown.length.toLocaleString('en')} {shown.length === 1 ? 'line' : 'lines'}
        </span>
        {live && (
          <Button className="ml-auto" aria-pressed={follows} onClick={() => setFollows(!follows)}>
            <ArrowDownToLine aria-hidden className={follows ? 'text-accent' : ''} />
            {follows ? 'Following' : 'Follow'}
          </Button>
        )}
      </div>
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
        onScroll={onScroll}
        className="h-[max(16rem,calc(100dvh-20rem))] overflow-auto rounded-lg border bg-sunken font-mono text-xs leading-5"
      >
        {shown.length === 0 && (
          <p className="px-4 py-10 text-center font-sans text-sm text-muted">
            {filter === '' ? empty : `No lines match “${filter}”.`}
          </p>
        )}
        <div className="relative min-w-full" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const one = shown[index];
            if (!one) return null;
            return (
              <div
                key={one.id}
                data-line={one.id}
                className={classes(
                  'group absolute top-0 left-0 flex h-5 min-w-full gap-3 pr-4 whitespace-pre hover:bg-hover',
                  one.id === line && 'bg-accent-soft',
                  tones[one.level],
                )}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className="sticky left-0 flex shrink-0 items-center gap-1 bg-sunken pl-3 text-faint">
                  <time dateTime={one.time} title={exact.format(new Date(one.time))}>
                    {clock.format(new Date(one.time))}
                  </time>
                  {onLine && (
                    <IconButton
                      size="sm"
                      className="size-5! px-0! opacity-0 group-hover:opacity-100 focus-visible:opacity-100 [&_svg]:size-3!"
                      label="Copy a link to this line"
                      icon={<Link2 aria-hidden />}
                      onClick={() => {
                        onLine(one.id);
                        // The address is written by then.
                        setTimeout(() => void copy(location.href), 50);
                      }}
                    />
                  )}
                </span>
                {one.source && <span className="shrink-0 text-faint">{one.source}</span>}
                <span>{one.message}</span>
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
