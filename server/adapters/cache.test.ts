import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { openLmdb } from '#adapters/lmdb/open.ts';
import { cacheContract, contractBytes } from '../contracts/cache.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-cache-'));
after(() => rm(folder, { recursive: true, force: true }));
const limits = { applicationBytes: contractBytes, totalBytes: 64 * 1024 * 1024 };

cacheContract('LMDB', async (clock) => openLmdb(path.join(folder, 'contract'), { limits, clock }));
