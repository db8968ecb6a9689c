import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#ui/toast.ts';

interface Action<Input, Result> {
  run: (input: Input) => Promise<Result>;
  /** The queries that show what was changed; their beginnings are enough. */
  refresh?: readonly QueryKey[];
  /** Shows the outcome immediately, before the API has answered; taken back when it refuses. */
  optimistic?: { queryKey: QueryKey; update: (old: never, input: Input) => unknown };
  /** Said when it is done. */
  done?: string | ((result: Result, input: Input) => string);
  /** Only where it really brings back what was. */
  undo?: (result: Result, input: Input) => Promise<unknown>;
  /** The caller shows failures itself, as forms do. */
  quiet?: boolean;
}

/** A change that a person makes: sent, shown, said, and undone where that is safe. */
export function useAction<Input = void, Result = unknown>(
  action: Action<Input, Result>,
): UseMutationResult<Result, Error, Input> {
  const client = useQueryClient();
  const { refresh = [], optimistic } = action;
  const refreshAll = () => Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })));

  return useMutation<Result, Error, Input, { before: unknown } | undefined>({
    mutationFn: action.run,
    onMutate: async (input) => {
      if (!optimistic) return undefined;
      const { queryKey, update } = optimistic;
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      if (before !== undefined) client.setQueryData(queryKey, update(before as never, input));
      return { before };
    },
    onError: (error, _input, context) => {
      if (optimistic && context) client.setQueryData(optimistic.queryKey, context.before);
      if (!action.quiet) toast.failed(error);
    },
    onSuccess: (result, input) => {
      const { done, undo } = action;
      const title = typeof done === 'function' ? done(result, input) : done;
      if (title === undefined) return;
      if (!undo) {
        toast.done(title);
        return;
      }
      const takeBack = () => undo(result, input).then(refreshAll, (error: unknown) => toast.failed(error));
      toast.done(title, { label: 'Undo', run: () => void takeBack() });
    },
    onSettled: () => refreshAll(),
  });
}
