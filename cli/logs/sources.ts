import type { Client, FollowOptions } from '@mainstay/sdk';
import type { Context } from '../core/context.ts';
import { wrongUsage } from '../core/failure.ts';
import { visible } from '../core/text.ts';
import { timeOf } from '../core/time.ts';

/** One line of any log. */
export interface Entry {
  id: string;
  /** ISO 8601. */
  at: string;
  print(): void;
}

/** A log that has lines already, and gets more. */
export interface Source {
  /** Newest first; stops asking when nobody reads on. */
  list(most: number): AsyncIterable<Entry>;
  /** Resumes where a connection breaks. */
  follow(options: FollowOptions): AsyncIterable<Entry>;
}

type Logged = Awaited<ReturnType<Client['requestLogs']['list']>>['items'][number];
type Printed = Awaited<ReturnType<Client['deployments']['runtimeLogs']>>['items'][number];
type RequestFilter = NonNullable<Parameters<Client['requestLogs']['follow']>[1]>;
type RuntimeFilter = NonNullable<Parameters<Client['deployments']['followRuntimeLogs']>[1]>;

const pageSize = (most: number) => Math.max(1, Math.min(most, 100));

interface TimeOptions {
  since?: string | undefined;
  until?: string | undefined;
}

function timesOf({ since, until }: TimeOptions) {
  return {
    ...(since === undefined ? {} : { from: timeOf(since) }),
    ...(until === undefined ? {} : { to: timeOf(until) }),
  };
}

interface RequestOptions extends TimeOptions {
  status?: string | undefined;
  method?: string | undefined;
  path?: string | undefined;
  host?: string | undefined;
  search?: string | undefined;
}

/** Requests to an application, or to one of its deployments. */
export function requestSource(
  context: Context,
  client: Client,
  { app, deploymentId }: { app: string; deploymentId: string | undefined },
  options: RequestOptions,
): Source {
  const { status, method, path, host, search } = options;
  const family = /^([2-5])xx$/i.exec(status ?? '');
  if (status !== undefined && !family && !/^\d{3}$/.test(status))
    throw wrongUsage('--status must be a status such as 404, or a family such as 5xx.');
  const filter = {
    ...(family ? { statusFamily: family[1] } : {}),
    ...(status !== undefined && !family ? { status } : {}),
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
    ...(path === undefined ? {} : { pathPrefix: path }),
    ...(host === undefined ? {} : { hostname: host }),
    ...(deploymentId === undefined ? {} : { deploymentId }),
    ...(search === undefined ? {} : { q: search }),
  } as RequestFilter;
  const times = timesOf(options);
  const entry = (one: Logged): Entry => ({
    id: one.id,
    at: one.startedAt,
    print: () => printRequest(context, one),
  });
  return {
    list: (most) => each(client.requestLogs.list(app, { ...filter, ...times, limit: pageSize(most) }), entry),
    follow: (how) => each(client.requestLogs.follow(app, filter, how), entry),
  };
}

interface RuntimeOptions extends TimeOptions {
  level?: string | undefined;
  function?: string | undefined;
  search?: string | undefined;
}

/** What the functions of a deployment print. */
export function runtimeSource(
  context: Context,
  client: Client,
  deploymentId: string,
  options: RuntimeOptions,
): Source {
  const { level, function: name, search } = options;
  const filter = {
    ...(level === undefined ? {} : { level: level.toUpperCase() }),
    ...(name === undefined ? {} : { function: name }),
    ...(search === undefined ? {} : { q: search }),
  } satisfies RuntimeFilter;
  const times = timesOf(options);
  const entry = (one: Printed): Entry => ({
    id: one.id,
    at: one.createdAt,
    print: () => printLine(context, one),
  });
  return {
    list: (most) =>
      each(
        client.deployments.runtimeLogs(deploymentId, { ...filter, ...times, limit: pageSize(most) }),
        entry,
      ),
    follow: (how) => each(client.deployments.followRuntimeLogs(deploymentId, filter, how), entry),
  };
}

async function* each<From, To>(items: AsyncIterable<From>, make: (item: From) => To): AsyncGenerator<To> {
  for await (const item of items) yield make(item);
}

function timeText({ out }: Context, time: string): string {
  return out.paint.dim(out.isTerminal ? new Date(time).toTimeString().slice(0, 8) : time);
}

function printRequest(context: Context, one: Logged): void {
  const { out } = context;
  const { green, red, yellow, cyan, dim, bold } = out.paint;
  out.event({ type: 'request', ...one }, () => {
    const { status } = one.response;
    const colour =
      status === null || status >= 500 ? red : status >= 400 ? yellow : status >= 300 ? cyan : green;
    const took = one.metrics.durationMs === null ? '–' : `${Math.round(one.metrics.durationMs)} ms`;
    const query = one.request.query ? `?${one.request.query.replace(/^\?/, '')}` : '';
    out.line(
      [
        timeText(context, one.startedAt),
        colour(String(status ?? '–')),
        bold(visible(one.request.method).padEnd(6)),
        visible(one.request.hostname + one.request.path + query),
        dim(took),
        one.error ? red(visible(one.error)) : '',
      ]
        .filter((part) => part !== '')
        .join(' '),
    );
  });
}

function printLine(context: Context, one: Printed): void {
  const { out } = context;
  const { red, yellow, dim } = out.paint;
  const colours: Partial<Record<Printed['level'], (text: string) => string>> = {
    ERROR: red,
    WARN: yellow,
    DEBUG: dim,
  };
  out.event({ type: 'line', ...one }, () =>
    out.line(
      [
        timeText(context, one.createdAt),
        one.function === null ? '' : dim(visible(one.function)),
        (colours[one.level] ?? String)(visible(one.message)),
      ]
        .filter((part) => part !== '')
        .join(' '),
    ),
  );
}
