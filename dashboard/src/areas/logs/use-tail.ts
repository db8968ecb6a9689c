import { useEffect, useRef, useState } from 'react';

const maxRows = 100_000;
const drawMilliseconds = 250;
const againMilliseconds = 3000;

interface TailProps<Row> {
  /** Of what, and what of it: another text begins anew. */
  of: string;
  isOn: boolean;
  open: (signal: AbortSignal) => Promise<AsyncIterable<Row>>;
}

/** Rows as they come while `isOn`, newest first. Those that arrive together are drawn together. */
export function useTail<Row>({ of, isOn, open }: TailProps<Row>) {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(open);
  latest.current = open;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is tailed, by its name.
  useEffect(() => {
    setRows([]);
    if (!isOn) return undefined;
    const end = new AbortController();
    let arrived: Row[] = [];
    const drawing = setInterval(() => {
      if (arrived.length === 0) return;
      const newest = arrived.reverse();
      arrived = [];
      setRows((before) => [...newest, ...before].slice(0, maxRows));
    }, drawMilliseconds);
    const run = async () => {
      while (!end.signal.aborted) {
        try {
          const stream = await latest.current(end.signal);
          setOpen(true);
          for await (const row of stream) {
            if (end.signal.aborted) break;
            arrived.push(row);
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
  }, [of, isOn]);
  return { rows, isOpen };
}
