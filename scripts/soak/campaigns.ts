import type { Campaign } from './campaign.ts';
import { deploymentCampaigns } from './deployments.ts';
import { frameworkCampaigns } from './frameworks.ts';
import { kills } from './kills.ts';
import { neighbourCampaigns } from './neighbours.ts';
import { otherCampaigns } from './others.ts';
import { postgresCampaigns } from './postgres.ts';
import { s3Campaigns } from './s3.ts';
import { storageCampaigns } from './storage.ts';
import { uploadCampaigns } from './uploads.ts';

export const campaigns: readonly Campaign[] = [
  ...kills,
  ...postgresCampaigns,
  ...otherCampaigns,
  ...s3Campaigns,
  ...storageCampaigns,
  ...uploadCampaigns,
  ...deploymentCampaigns,
  ...frameworkCampaigns,
  ...neighbourCampaigns,
];
