import { after, before, describe } from 'node:test';
import { engines } from '../server/testing/engines.ts';
import { accountCases, expiryCases, signInCases } from './testing/cases/account.ts';
import { applicationCases } from './testing/cases/application.ts';
import { commandCases, everyCommandIsCalled } from './testing/cases/commands.ts';
import { deployingCases, largeProjectCases } from './testing/cases/deploying.ts';
import { logCases } from './testing/cases/logs.ts';
import { storageCases } from './testing/cases/storage.ts';
import { terminalCases } from './testing/cases/terminal.ts';
import { type Bench, ok, openBench } from './testing/command-line.ts';

/** The command line as it is typed, against a real instance: one for all cases, as it takes a while to start. */

for (const engine of engines) {
  describe(`the command line on ${engine}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await openBench(engine);
      ok(await bench.run(['login', bench.url, '--token', bench.key('user')]));
    });
    after(() => bench[Symbol.asyncDispose]());
    const of = () => bench;

    accountCases(of);
    applicationCases(of);
    deployingCases(of);
    storageCases(of);
    logCases(of);
    // What does not depend on the database is tried on one.
    if (engine === 'sqlite') {
      signInCases(of);
      largeProjectCases(of);
      terminalCases(of);
      commandCases(of);
      everyCommandIsCalled(of);
      expiryCases(of);
    }
  });
}
