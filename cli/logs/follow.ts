import { ApiError } from '@mainstay/sdk';
import { collect } from '../core/collect.ts';
import type { Context } from '../core/context.ts';
import { pause } from '../core/pause.ts';
import type { Entry, Source } from './sources.ts';

const lookMilliseconds = 5000;
/** What was printed last, to leave it out where a new connection starts. */
const remembered = 2000;

interface Following {
  /** Of the lines that were. */
  most: number;
  /** Continues until Ctrl-C. */
  follows: boolean;
  /** Of lines: "line", "request". */
  what: string;
  /** Sources that come up while it continues. */
  more?: () => Promise<readonly Source[]>;
}

/** Prints the last lines of all sources in the order of their times, and then those that come. */
export async function printLogs(
  context: Context,
  sources: readonly Source[],
  { most, follows, what, more }: Following,
): Promise<void> {
  const { out } = context;
  const found = await Promise.all(sources.map((source) => collect(source.list(most), most)));
  const before = found
    .flat()
    .sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1))
    .slice(-most);
  for (const one of before) one.print();
  if (!follows) {
    if (before.length === 0) out.note(`No ${what} matches.`);
    return;
  }
  out.note(out.notePaint.dim(`Waiting for ${what}s; Ctrl-C ends.`));
  const seen = new Set(before.slice(-remembered).map(({ id }) => id));
  const print = (one: Entry) => {
    if (seen.has(one.id)) return;
    seen.add(one.id);
    if (seen.size > remembered) seen.delete(seen.values().next().value as string);
    one.print();
  };
  // One that is refused ends them all.
  const refused = new AbortController();
  const signal = AbortSignal.any([context.signal, refused.signal]);
  const run = (source: Source) =>
    follow(context, source, signal, print).catch((error) => refused.abort(error));
  await Promise.all([...sources.map(run), ...(more ? [watch(more, signal, run)] : [])]);
  if (refused.signal.aborted) throw refused.signal.reason;
}

/** Follows what comes up later, too. */
async function watch(
  more: () => Promise<readonly Source[]>,
  signal: AbortSignal,
  run: (source: Source) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = [];
  while (!signal.aborted) {
    await pause(lookMilliseconds, signal).catch(() => {});
    // An instance that is away for a moment is asked again.
    const found = signal.aborted ? [] : await more().catch(() => []);
    running.push(...found.map(run));
  }
  await Promise.all(running);
}

/** Until the signal, or until a deployment is deleted. */
async function follow(
  { out }: Context,
  source: Source,
  signal: AbortSignal,
  print: (one: Entry) => void,
): Promise<void> {
  let state: 'new' | 'open' | 'broken' = 'new';
  const entries = source.follow({
    signal,
    patienceMilliseconds: Number.POSITIVE_INFINITY,
    onOpen() {
      state = 'open';
    },
    onBreak() {
      if (state === 'open') out.warn('Connection lost; reconnecting.');
      if (state === 'new') out.warn('The instance does not respond; retrying.');
      state = 'broken';
    },
    onSkip: () => out.warn('Too many entries per second; some were skipped.'),
  });
  try {
    for await (const one of entries) print(one);
  } catch (error) {
    const isGone = state !== 'new' && error instanceof ApiError && error.status === 404;
    if (!signal.aborted && !isGone) throw error;
  }
}
