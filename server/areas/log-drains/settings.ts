import { isAddressBlock } from '#core/addresses.ts';
import { duration, integer, list } from '#core/settings.ts';

export const logDrainSettings = {
  logDrainLimit: integer({
    name: 'MAINSTAY_LOG_DRAINS_PER_APPLICATION',
    meaning: 'How many log drains an application may have.',
    fallback: 10,
    min: 0,
    max: 1000,
  }),
  logDrainBacklog: duration({
    name: 'MAINSTAY_LOG_DRAIN_BACKLOG',
    meaning: 'How far a log drain may fall behind while its collector is away; older lines are left out.',
    fallback: '24h',
    minSeconds: 60,
    maxSeconds: 30 * 86_400,
  }),
  logDrainPrivateAddresses: list({
    name: 'MAINSTAY_LOG_DRAIN_PRIVATE_ADDRESSES',
    meaning: 'Addresses (CIDR) that are not public and that log drains may send to all the same.',
    accepts: isAddressBlock,
    expected: 'a list of addresses or CIDR blocks',
  }),
};
