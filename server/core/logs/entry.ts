import {
  type RuntimeLine,
  type StreamLines,
  type StreamName,
  streams,
  type UsageLine,
} from '#core/log-streams.ts';
import { requestEntry } from '#core/logs/request-entry.ts';
import type { RequestOptions } from '#core/logs/request-options.ts';
import { cut, momentOf } from '#core/logs/sanitise.ts';

/** A line as an engine keeps it: what it is found by, and what is shown, as JSON. */
export interface Entry {
  id: string;
  scope: string;
  at: number;
  weight: number;
  /** In the order of the stream's columns. */
  values: (string | number | null)[];
  body: string;
  /** Empty: there is none. */
  detail: string;
}

export interface PrepareOptions {
  requests: RequestOptions;
}

type Prepare = { [S in StreamName]: (line: StreamLines[S] & { weight?: number }) => Entry };

/** Turns lines into entries; runs in the thread that writes, never in one that answers requests. */
export async function preparers(options: PrepareOptions): Promise<Prepare> {
  return {
    requests: await requestEntry(options.requests),
    'runtime-logs': runtimeEntry,
    'ai-usage': usageEntry,
  };
}

export function scopeOf<S extends StreamName>(stream: S, line: StreamLines[S]): string {
  return stream === 'ai-usage' ? line.organizationId : (line.applicationId as string);
}

const maxMessage = 32 * 1024;

function runtimeEntry(line: RuntimeLine): Entry {
  const message = cut(line.message, maxMessage);
  return {
    id: line.id,
    scope: line.applicationId,
    at: momentOf(line.at),
    weight: 1,
    values: [
      line.deploymentId,
      line.functionId,
      line.source,
      line.level,
      line.requestId ?? null,
      message,
      line.seq,
    ],
    body: JSON.stringify({ ...line, message }),
    detail: '',
  };
}

function usageEntry(line: UsageLine): Entry {
  const { event, startedAt, organizationId, id, ...rest } = line;
  const found = rest as Record<string, unknown>;
  const values = Object.keys(streams['ai-usage'].columns).map((name) => found[name] ?? null);
  return {
    ...{ id, scope: organizationId, at: momentOf(startedAt), weight: 1, detail: '' },
    values: values as Entry['values'],
    body: JSON.stringify(event),
  };
}
