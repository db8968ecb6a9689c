/** What is counted over time, for the charts of organizations and operators. */
export const counterNames = [
  'requests',
  'clientErrors',
  'serverErrors',
  'tokensIssued',
  'cacheHits',
  'cacheMisses',
] as const;
export type CounterName = (typeof counterNames)[number];

/** What is measured from time to time, for operators. */
export const gaugeNames = ['memoryBytes', 'eventLoopMilliseconds', 'databaseMilliseconds'] as const;
export type GaugeName = (typeof gaugeNames)[number];

/** What is measured of an organization from time to time. */
export const levelNames = ['storageBytes'] as const;
export type LevelName = (typeof levelNames)[number];

/** Numbers over time. Both are cheap: they touch memory, and are written a few seconds later. */
export interface Series {
  /** Adds to the organization's and to the instance's; null: to the instance's alone. */
  add(organizationId: string | null, name: CounterName, amount?: number): void;
  /** Of an organization, as it is now. */
  measure(organizationId: string, name: LevelName, value: number): void;
  /** Of the instance. */
  sample(name: GaugeName, value: number): void;
}
