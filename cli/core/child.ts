import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Failure } from './failure.ts';

/** Runs a command on this terminal to its end, which is the end of ours: its exit code, or 128 and the number of its signal. */
export function runChild(
  [command = '', ...args]: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...options,
      env: { ...options.env },
      stdio: 'inherit',
      // npm and its like are batch files there, which only a shell runs.
      shell: process.platform === 'win32',
    });
    // Ctrl-C reaches the whole group of the terminal: the command decides what it means. Other signals reach us alone.
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    const ignore = () => {};
    process.removeAllListeners('SIGINT');
    process.on('SIGINT', ignore);
    process.removeAllListeners('SIGTERM');
    process.on('SIGTERM', forward);
    process.on('SIGHUP', forward);
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Failure(`There is no command ${command}.`, {
              next: 'Check its name, and PATH.',
              cause: error,
            })
          : error,
      ),
    );
    child.on('close', (code, signal) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', forward);
      process.off('SIGHUP', forward);
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}
