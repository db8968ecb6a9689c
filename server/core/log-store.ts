import type { ColumnOf, StreamLines, StreamName } from '#core/log-streams.ts';

/**
 * Where lines that only ever grow in number are kept: answered requests, what deployments print, AI usage. Two engines
 * have it, SQLite day files and ClickHouse; `platform/engines.ts` chooses. A line belongs to a scope (an application, or
 * an organization: see core/log-streams.ts), and no question reaches beyond one scope.
 *
 * Lines of a build: `logs.write('runtime-logs', { id: newId(), deploymentId, level: 'INFO', message, … })`, and before the
 * state of the deployment turns `await logs.flush()`. Events of AI usage: `await logs.append('ai-usage', [event])`.
 */
export interface LogStore extends AsyncDisposable {
  readonly engine: 'sqlite' | 'clickhouse';

  /**
   * Takes a line: never throws, never waits, and copies it before it returns. What it keeps in memory is bounded: lines
   * beyond are dropped and counted. A line is readable within a second, and survives the end of the process from then on.
   */
  write<S extends StreamName>(stream: S, line: StreamLines[S]): void;

  /** Resolves when the lines are stored. Throws `Problem('unavailable')` when they are not, or may not be. */
  append<S extends StreamName>(stream: S, lines: readonly StreamLines[S][]): Promise<void>;

  /** The same for lines that are JSON already: texts that are lists of lines, none of them empty. */
  appendJson(stream: StreamName, lists: readonly string[]): Promise<void>;

  /** Resolves when every line that this process has written so far can be read, or is counted as dropped. */
  flush(): Promise<void>;

  /** A page of the lines that fit, in the order of their moment and id. */
  search<S extends StreamName>(stream: S, query: LogSearch<ColumnOf<S>>): Promise<LogPage>;

  /** The line with its detail (of requests: the headers); null when there is none in this scope. */
  find(stream: StreamName, scope: string, id: string): Promise<StoredLine | null>;

  /** What was counted and summed up in each step of time, and in all of them. Steps without lines are left out. */
  series<S extends StreamName>(
    stream: S,
    query: LogSeries<ColumnOf<S>>,
  ): Promise<{ steps: LogStep[]; total: LogStep }>;

  /** The commonest values of a column, most lines first. */
  top<S extends StreamName>(stream: S, query: LogTop<ColumnOf<S>>): Promise<LogTopPage>;

  /**
   * Lines in the order in which they were stored, after a position; for tails and for sending lines on. Never misses one
   * that was stored before `until` (milliseconds since 1970); `settleMilliseconds` tells how far in the past `until` must
   * be for that where several nodes write.
   */
  changes<S extends StreamName>(stream: S, query: LogChanges<ColumnOf<S>>): Promise<StoredLine[]>;
  readonly settleMilliseconds: number;

  /** Deletes all lines of a scope. Repeatable. */
  purge(stream: StreamName, scope: string): Promise<void>;

  /** Drops what is older than the stream is kept; every node calls it now and then. */
  sweep(): Promise<void>;

  /** Of this process, since it started. */
  counts(): Record<StreamName, LogCounts>;

  /** Throws when it cannot be reached. */
  ping(): Promise<void>;
}

export interface LogCounts {
  written: number;
  dropped: number;
}

/** All of them must hold. Text is compared literally: `%`, `_` and `*` mean themselves. */
export type LogFilter<C extends string = string> =
  | { column: C; in: readonly (string | number | null)[] }
  | { column: C; prefix: string }
  /** In any of the columns, whatever the case of its letters. */
  | { columns: readonly C[]; contains: string }
  | { column: C; min: number };

interface Range<C extends string> {
  scope: string;
  /** Milliseconds since 1970, both inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  filters?: readonly LogFilter<C>[];
}

export interface LogSearch<C extends string> extends Range<C> {
  order: 'newest' | 'oldest';
  /** Where the page before ended. */
  after?: LogPosition | undefined;
  /** Lines to pass over, for callers that page by number. */
  offset?: number;
  limit: number;
  /** Whether to count what fits, up to 10 000 lines. */
  count: boolean;
  /** After how much work it answers with what it has and a `next`. */
  budgetMilliseconds?: number;
}

export interface LogPosition {
  at: number;
  id: string;
}

interface LogPage {
  lines: StoredLine[];
  /** Set while there may be more. A page that ended because of its budget may be short, or even empty. */
  next?: LogPosition;
  /** Undefined when it was not asked for. `capped`: there may be more than that. */
  total?: { count: number; capped: boolean };
}

export interface StoredLine {
  id: string;
  /** Milliseconds since 1970: what the line is about, and when it was stored. */
  at: number;
  stored: number;
  /** How many lines it stands for, where not all are kept. */
  weight: number;
  /** What lists show. */
  // biome-ignore lint/suspicious/noExplicitAny: each stream has its own; whoever reads it knows which.
  body: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above; null but from `find` and `changes`.
  detail: any;
}

export interface LogSeries<C extends string> extends Range<C> {
  from: number;
  to: number;
  /** Whole minutes. Steps start at multiples of it since 1970. */
  stepMilliseconds: number;
}

/** Counts are of what happened: a line that stands for ten counts ten. */
export interface LogStep {
  at: number;
  count: number;
  /** By the values of the stream's `rollup.group`. */
  groups: Record<string, number>;
  sums: Record<string, number>;
  /** Of the stream's `rollup.quantile`, within 2 %; null without values. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
  /** Sum and number of those values, for the mean. */
  total: number;
  values: number;
  /** Lines that could not be kept; told only where no filter is. */
  dropped: number;
}

export interface LogTop<C extends string> extends Range<C> {
  column: C;
  limit: number;
  budgetMilliseconds?: number;
}

export interface LogTopPage {
  rows: {
    value: string | number | null;
    count: number;
    groups: Record<string, number>;
    sums: Record<string, number>;
  }[];
  /** False: it ended at its budget, and tells of the newest lines only. */
  complete: boolean;
}

export interface LogChanges<C extends string> extends Range<C> {
  after: { stored: number; id: string };
  until: number;
  limit: number;
}
