import { deployer, runnerSettings, sandboxMissing } from '../../server/testing/deploying.ts';
import {
  type FrameworkTrial,
  frameworkTrials,
  registrySettings,
  tryFramework,
} from '../../server/testing/frameworks.ts';
import { startInstance } from '../../server/testing/instance.ts';
import type { Campaign } from './campaign.ts';

/** Every project of docs/frameworks.md, built from the registry and served; once, however long a campaign may take. */
export const frameworkCampaigns: readonly Campaign[] = Object.entries(frameworkTrials).map(
  ([name, trial]: [string, FrameworkTrial]) => ({
    name: `framework ${name}`,
    missing: () => sandboxMissing ?? undefined,
    async run() {
      const { settings, missing } = await registrySettings();
      if (missing) throw new Error(missing);
      await using instance = await startInstance('sqlite', { settings: { ...runnerSettings, ...settings } });
      const started = performance.now();
      await tryFramework(deployer(instance), name, trial);
      return `built and asked in ${((performance.now() - started) / 1000).toFixed(0)} s`;
    },
  }),
);
