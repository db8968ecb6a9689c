import { readFile } from 'node:fs/promises';

/** A process and all that it has started, as far as they have not been orphaned. The first comes first. */
export async function withDescendants(pid: number): Promise<number[]> {
  const found = [pid];
  for (let at = 0; at < found.length; at++) {
    const id = found[at];
    const text = await readFile(`/proc/${id}/task/${id}/children`, 'utf8').catch(() => '');
    found.push(...text.split(' ').filter(Boolean).map(Number));
  }
  return found;
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has gone meanwhile.
  }
}

/** Whether the process has a handler for the signal with this number: an unexpected one would end it. */
export async function catches(pid: number, signal: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return mask !== undefined && (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n;
}
