import path from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import { inTimeSlices } from '#core/time-slices.ts';
import { coverageText } from './coverage.ts';
import { TypoFinder } from './email/typo.ts';
import { FeedData } from './feeds/data.ts';
import { ownFeedsFile, readFeeds } from './feeds/declaration.ts';
import { MailHostLookup } from './mx/mail-hosts.ts';
import { Resolver } from './mx/resolver.ts';
import { nameServers } from './mx/server-address.ts';
import { Reputation } from './reputation.ts';
import { SquatDetector } from './squat/detector.ts';
import { checkNames, readNames } from './squat/files.ts';

export { isDomain, readDomain } from './domain-name.ts';
export type { Resolver } from './mx/resolver.ts';
export { imitationDetector } from './squat/own-names.ts';

/** The settings that this area reads. */
export interface ReputationConfig {
  dataDir: string;
  reputationRefresh: boolean;
  reputationFeedsFile: string | undefined;
  protectedNamesFile: string | undefined;
  feedTimeout: number;
  feedLeastPercent: number;
  reputationCacheSize: number;
  nameServers: readonly string[];
  mxTimeout: number;
  mxConcurrency: number;
  mxCacheSize: number;
}

function folderOf({ dataDir }: ReputationConfig): string {
  return path.join(dataDir, 'web-reputation');
}

/** For `doctor`: how many names there are of each status. */
export function describeCoverage(config: ReputationConfig, version: string): Promise<string> {
  const feedsFile = config.reputationFeedsFile ?? ownFeedsFile;
  const { protectedNamesFile } = config;
  return coverageText({ folder: folderOf(config), feedsFile, protectedNamesFile, version });
}

/** Reads the operators' files, so that a wrong one stops the start and is named; opens no list yet. */
export async function openReputation(options: {
  config: ReputationConfig;
  clock: Clock;
  log: Logger;
  version: string;
}): Promise<{ feeds: FeedData; reputation: Reputation; resolver: Resolver }> {
  const { config, clock, log, version } = options;
  const feedsFile = config.reputationFeedsFile ?? ownFeedsFile;
  const { protectedNamesFile } = config;
  await Promise.all([
    config.reputationFeedsFile === undefined ? undefined : readFeeds(feedsFile),
    protectedNamesFile === undefined ? undefined : checkNames(protectedNamesFile),
  ]);
  const feeds = new FeedData({
    log,
    settings: {
      folder: folderOf(config),
      feedsFile,
      protectedNamesFile,
      network: config.reputationRefresh,
      leastShare: config.feedLeastPercent / 100,
      timeoutSeconds: config.feedTimeout,
      userAgent: `Mainstay/${version}`,
    },
  });
  const resolver = new Resolver({
    servers: nameServers(config.nameServers),
    clock,
    timeoutSeconds: config.mxTimeout,
    concurrency: config.mxConcurrency,
    maxNames: config.mxCacheSize,
  });
  const reputation = new Reputation({
    feeds,
    readRules: async () => {
      const names = await readNames(protectedNamesFile);
      return { squats: await inTimeSlices(SquatDetector.building(names)), typos: new TypoFinder(names) };
    },
    mail: new MailHostLookup(resolver, { timeoutSeconds: config.mxTimeout }),
    maxNames: config.reputationCacheSize,
  });
  return { feeds, reputation, resolver };
}
