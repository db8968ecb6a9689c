import type { RequestLog } from '@mainstay/sdk';
import { useEffect, useRef, useState } from 'react';
import { api } from '#api/client.ts';
import { type LogsSearch, toQuery } from '#areas/logs/search.ts';

const maxRows = 100_000;
const drawMilliseconds = 250;
const againMilliseconds = 3000;

/** Requests as they are answered while `isOn`, newest first. Those that arrive together are drawn together. */
export function useTail(applicationId: string, search: LogsSearch, isOn: boolean) {
  const [rows, setRows] = useState<readonly RequestLog[]>([]);
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(search);
  latest.current = search;
  const { live: _live, request: _request, ...filters } = search;
  const key = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters, by what they say.
  useEffect(() => {
    setRows([]);
    if (!isOn) return undefined;
    const end = new AbortController();
    let arrived: RequestLog[] = [];
    const drawing = setInterval(() => {
      if (arrived.length === 0) return;
      const newest = arrived.reverse();
      arrived = [];
      setRows((before) => [...newest, ...before].slice(0, maxRows));
    }, drawMilliseconds);
    const run = async () => {
      while (!end.signal.aborted) {
        try {
          const { from: _from, to: _to, ...query } = toQuery(latest.current);
          const stream = await api.requestLogs.stream(applicationId, query, { signal: end.signal });
          setOpen(true);
          for await (const request of stream) {
            if (end.signal.aborted) break;
            arrived.push(request);
          }
        } catch {
          // The connection broke, or the server is being restarted: it is opened again below.
        }
        setOpen(false);
        await new Promise((resolve) => setTimeout(resolve, againMilliseconds));
      }
    };
    void run();
    return () => {
      end.abort();
      clearInterval(drawing);
    };
  }, [applicationId, isOn, key]);
  return { rows, isOpen };
}
