import { derivePackagedNames } from './derive.ts';
import { writePackagedNames } from './packaged-names.ts';

// What `npm run build` runs.
await writePackagedNames(await derivePackagedNames());
