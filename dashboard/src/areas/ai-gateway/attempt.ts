import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Refused, sentenceOf } from '#api/errors.ts';
import { askModels, refusalOf } from '#areas/ai-gateway/data.ts';

export interface Attempt<Result> {
  isBusy: boolean;
  /** Why the last one failed. */
  problem: string | undefined;
  result: Result | undefined;
  /** Milliseconds. */
  duration: number | undefined;
  /** Null: not known. */
  costMicros: number | null;
  start(body: object): Promise<void>;
  stop(): void;
}

/** A request that is answered as a whole, one at a time. `read` takes what is shown from the answer. */
export function useAttempt<Result>(
  organizationId: string,
  path: string,
  read: (response: Response) => Promise<Result>,
): Attempt<Result> {
  const client = useQueryClient();
  const running = useRef<AbortController>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [answer, setAnswer] = useState<{ result: Result; duration: number; costMicros: number | null }>();
  useEffect(() => () => running.current?.abort(), []);
  return {
    isBusy,
    problem,
    result: answer?.result,
    duration: answer?.duration,
    costMicros: answer?.costMicros ?? null,
    async start(body) {
      const controller = new AbortController();
      const { signal } = controller;
      running.current = controller;
      setBusy(true);
      setProblem(undefined);
      setAnswer(undefined);
      const began = performance.now();
      try {
        const response = await askModels(path, organizationId, { body, signal });
        if (!response.ok) throw new Refused(await refusalOf(response));
        const result = await read(response);
        const cost = response.headers.get('x-mainstay-cost-micros');
        const costMicros = cost === null ? null : Number(cost);
        setAnswer({ result, duration: performance.now() - began, costMicros });
      } catch (error) {
        if (!signal.aborted) setProblem(sentenceOf(error));
      } finally {
        setBusy(false);
        void client.invalidateQueries({ queryKey: ['ai usage', organizationId] });
        void client.invalidateQueries({ queryKey: ['ai budgets', organizationId] });
      }
    },
    stop: () => running.current?.abort(),
  };
}
