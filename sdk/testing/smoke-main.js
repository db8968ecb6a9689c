// Runs the smoke test where there is a command line: <URL of the built index.js> <JSON of the options> <organization id>.
import process from 'node:process';
import { smoke } from './smoke.js';

const [, , index = '', options = '', organizationId = ''] = process.argv;
process.stdout.write(JSON.stringify(await smoke(await import(index), JSON.parse(options), organizationId)));
