import { duration, size } from '#core/settings.ts';

export const organizationSettings = {
  organizationGrace: duration({
    name: 'MAINSTAY_ORGANIZATION_GRACE',
    meaning:
      'How long a deleted organization can be restored before it is gone with everything that it owns.',
    fallback: '30d',
  }),
  imageLimit: size({
    name: 'MAINSTAY_IMAGE_LIMIT',
    meaning: 'Largest picture that may be uploaded, of an organization or of a person.',
    fallback: '5MiB',
    minBytes: 1024,
    maxBytes: 100 * 1024 * 1024,
  }),
};
