import { keyTimes, turnKeys } from '#accounts/tokens/service.ts';
import { addDataKey, changeMasterKey, reseal } from '#accounts/vault/service.ts';
import { readMasterKey } from '#adapters/files/master-key.ts';
import { sealedColumns } from '../platform/areas.ts';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { openPlatform } from '../platform/platform.ts';
import type { Command } from './command.ts';

export const rotateKeys: Command = {
  name: 'rotate-keys',
  summary: 'Replace the keys that encrypt secrets at rest and sign tokens, while the server runs.',
  details:
    'Without options it rotates both: a new data key, with which everything is re-encrypted, and the next signing\n' +
    'key. It can be interrupted and run again; the server completes what is left.',
  options: {
    data: { type: 'boolean', meaning: 'Only the data key.' },
    signing: { type: 'boolean', meaning: 'Only the signing key.' },
    'new-master-key-file': {
      type: 'string',
      value: 'FILE',
      meaning: 'Encrypt all data keys with the master key in this file. Then restart every node with it.',
    },
  },
  async run(values, environment) {
    const config = readConfig(environment);
    const { log } = createLog({ level: 'warn', format: config.logFormat });
    await using platform = await openPlatform(config, log);
    const { db, vault, clock, masterKey } = platform;

    const newMasterKeyFile = values['new-master-key-file'];
    if (typeof newMasterKeyFile === 'string') {
      const count = await changeMasterKey(db, masterKey, await readMasterKey(newMasterKeyFile));
      say(
        `${count} data keys are under the new master key. Restart every node with it; keep the old one for backups.`,
      );
      return 0;
    }
    const both = !values['data'] && !values['signing'];
    if (both || values['signing']) {
      const signsFrom = await turnKeys({ db, vault, clock, times: keyTimes(config) }, { demanded: true });
      say(`The next signing key takes over at ${new Date(signsFrom ?? clock.now()).toISOString()}.`);
    }
    if (both || values['data']) {
      const { version, activeFrom } = await addDataKey({ db, clock, masterKey });
      say(
        `Data key ${version} created; every node has it in ${Math.ceil((activeFrom - clock.now()) / 1000)} s.`,
      );
      while (vault.version < version) await new Promise((resolve) => setTimeout(resolve, 100));
      const { resealed } = await reseal(
        { db, clock, vault, columns: sealedColumns },
        ({ table, done, total }) => {
          if (process.stderr.isTTY) process.stderr.write(`\r${table}: ${done} of ${total}\x1b[K`);
        },
      );
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
      say(`${resealed} values were re-encrypted with it.`);
    }
    return 0;
  },
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
