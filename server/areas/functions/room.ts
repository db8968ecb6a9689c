import type { FunctionOf, Pool } from './pool.ts';

/** What an organization may have of processes of functions on one node. */
export interface Limits {
  /** Processes of all its functions. */
  mostOfOrganization: number;
  /** That they may be configured with together. */
  memoryOfOrganization: number;
}

export interface Used {
  instances: number;
  memoryBytes: number;
}

/** What an organization has too little of for one more process. */
export type Lacking = 'processes' | 'memory';

export function usedBy(pools: readonly Pool[]): Used {
  const used = { instances: 0, memoryBytes: 0 };
  for (const { of, running, starting } of pools) {
    const count = running.length + starting;
    used.instances += count;
    used.memoryBytes += count * memoryOf(of);
  }
  return used;
}

export function lackingFor(of: FunctionOf, used: Used, limits: Limits): Lacking | null {
  if (used.instances >= limits.mostOfOrganization) return 'processes';
  return used.memoryBytes + memoryOf(of) > limits.memoryOfOrganization ? 'memory' : null;
}

/** That a process of it is configured with. */
export function memoryOf({ wanted }: FunctionOf): number {
  return wanted.memoryMegabytes * 1024 ** 2;
}

export function sentenceOf(lacking: Lacking, { mostOfOrganization, memoryOfOrganization }: Limits): string {
  return lacking === 'processes'
    ? `The organization has ${mostOfOrganization} busy processes of functions on this node, which is its limit. The operator can raise it (MAINSTAY_ORGANIZATION_INSTANCES).`
    : `One more process would exceed the ${inMegabytes(memoryOfOrganization)} of memory that functions of the organization may have on this node. The operator can raise the limit (MAINSTAY_ORGANIZATION_MEMORY).`;
}

export function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)} MB`;
}
