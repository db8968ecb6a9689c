import type { Item, Query } from '../operations.ts';
import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/applications/{applicationId}/requests';
type Logged = Item<typeof all>;

export const requestLogs = (api: Requests) => ({
  /** Newest first. */
  list: (applicationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { applicationId }, query }, options),
  get: (applicationId: string, requestId: string, options?: RequestOptions) =>
    api.call('get', `${all}/{requestId}`, { path: { applicationId, requestId } }, options),
  stats: (applicationId: string, query?: Query<'get', `${typeof all}/stats`>, options?: RequestOptions) =>
    api.call('get', `${all}/stats`, { path: { applicationId }, query }, options),
  /** Requests as they are answered, until the loop is left or the connection ends. */
  stream: (
    applicationId: string,
    query?: Query<'get', `${typeof all}/stream`>,
    options?: RequestOptions,
  ): Promise<AsyncIterable<Logged>> =>
    api.read(`${all}/stream`, { path: { applicationId }, query }, options, async (response) =>
      linesOf(response, 'data: '),
    ),
  /** Every request that fits, newest first, as it arrives. */
  export: (
    applicationId: string,
    query?: Query<'get', `${typeof all}/export`>,
    options?: RequestOptions,
  ): Promise<AsyncIterable<Logged>> =>
    api.read(`${all}/export`, { path: { applicationId }, query }, options, async (response) =>
      linesOf(response, ''),
    ),
});

/** The JSON of each line that begins so; an empty object is no request. */
async function* linesOf(response: Response, start: string): AsyncGenerator<Logged> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      text += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith(start) && line.length > start.length + 2)
          yield JSON.parse(line.slice(start.length));
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
