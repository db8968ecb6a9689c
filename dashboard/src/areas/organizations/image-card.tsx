import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { organizationsQuery, useOrganization } from '#areas/organizations/data.ts';
import { PictureCard } from '#ui/picture-card.tsx';

/** The picture of the organization: drawn from its id until one is uploaded. */
export function ImageCard() {
  const { id, imageUrl, name } = useOrganization();
  const refresh = [organizationsQuery.queryKey];
  const upload = useAction({
    run: (file: File) => api.organizations.setImage(id, file),
    refresh,
    done: 'Picture changed',
  });
  const remove = useAction({
    run: () => api.organizations.deleteImage(id),
    refresh,
    done: 'Picture deleted',
  });
  const isDrawn = imageUrl.includes('/avatars/');
  return <PictureCard url={imageUrl} name={name} upload={upload} remove={isDrawn ? undefined : remove} />;
}
