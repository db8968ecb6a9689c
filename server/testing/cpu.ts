/** CPU time that this thread spends in user mode, in milliseconds: unlike a clock, it does not count what runs beside it. */
export function cpuMilliseconds(work: () => unknown): number {
  const { user } = process.threadCpuUsage();
  work();
  return (process.threadCpuUsage().user - user) / 1000;
}
