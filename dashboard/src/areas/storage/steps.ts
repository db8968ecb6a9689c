import { useState } from 'react';

/** Work of many requests, one after the other: how many are done, and what is said while they are. */
export function useSteps() {
  const [progress, setProgress] = useState<{ done: number; of: number }>();
  return {
    progress,
    /** What fails ends it; what was done stays done. */
    async run<T>(items: readonly T[], step: (item: T, add: (count: number) => void) => Promise<unknown>) {
      let done = 0;
      let of = items.length;
      setProgress({ done, of });
      try {
        for (const item of items) {
          await step(item, (count) => {
            of += count;
            done += count;
            setProgress({ done, of });
          });
          done++;
          setProgress({ done, of });
        }
      } finally {
        setProgress(undefined);
      }
    },
  };
}

export function progressText(verb: string, { done, of }: { done: number; of: number }): string {
  return `${verb} ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`;
}
