import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { type SandboxOptions, sandboxArguments } from './sandbox.ts';
import { seccompFilter } from './seccomp.ts';

/** Limits of single processes (setrlimit(2)); those of all together are the group's. */
export interface ProcessLimits {
  openFiles: number;
  fileBytes: number;
}

const filter = seccompFilter();
export const hasSeccomp = filter !== null;

/** A command in a sandbox. What is written to its standard input goes to the command. */
export function spawnInside(
  joinFiles: readonly string[],
  options: Omit<SandboxOptions, 'seccompDescriptor'>,
  { openFiles, fileBytes }: ProcessLimits,
  command: readonly string[],
): ChildProcess {
  const [argumentsDescriptor, seccompDescriptor] = [3, 4];
  // The group is joined before anything of the user runs, and the limits of processes hold from then on.
  const script =
    'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; ' +
    `ulimit -c 0; ulimit -n ${openFiles}; ulimit -f ${Math.ceil(fileBytes / 512)}; exec "$@"`;
  const child = spawn(
    '/bin/sh',
    [
      ...['-c', script, 'sh', ...joinFiles, '--'],
      ...['bwrap', '--args', String(argumentsDescriptor), '--', ...command],
    ],
    {
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const args = sandboxArguments({ ...options, seccompDescriptor: filter ? seccompDescriptor : null });
  give(child, argumentsDescriptor, args.map((arg) => `${arg}\0`).join(''));
  give(child, seccompDescriptor, filter ?? '');
  return child;
}

/**
 * Ends the whole process group when our end of the pipe closes, as it does when this server is killed. It is no descendant of
 * the program: what stops a program's processes leaves it running.
 */
const guarded = '( (read _ <&3; kill -KILL -$$) </dev/null >/dev/null 2>&1 & ); exec 3<&-; exec "$@"';

/** As this server runs, for code of its owner. */
export function spawnOutside(
  options: Pick<SandboxOptions, 'folder' | 'workingFolder' | 'env'>,
  command: readonly string[],
): ChildProcess {
  const cwd = path.join(options.folder, options.workingFolder);
  const child = spawn('/bin/sh', ['-c', guarded, 'sh', ...command], {
    ...{ cwd, env: { ...options.env }, stdio: ['pipe', 'pipe', 'pipe', 'pipe'], detached: true },
  });
  const pipe = child.stdio[3] as Duplex;
  pipe.on('error', () => {});
  child.once('exit', () => pipe.destroy());
  return child;
}

/** Writes all of it to a descriptor of the child. One that ends early reads nothing, which its exit tells. */
export function give(child: ChildProcess, descriptor: number, content: string | Buffer): void {
  const pipe = child.stdio[descriptor] as NodeJS.WritableStream;
  pipe.on('error', () => {});
  pipe.end(content);
}
