import { scripts } from '../completion/scripts.ts';
import type { Run } from '../core/run.ts';
import type { completion } from '../descriptions/more.ts';

export const run: Run<typeof completion> = async ({ out }, { arguments: { shell } }) => {
  out.raw(scripts[shell as keyof typeof scripts]);
};
