import { useAction } from '#api/action.ts';
import { idp } from '#api/idp.ts';
import { sessionQuery, usePerson } from '#api/session.ts';
import { PictureCard } from '#ui/picture-card.tsx';

export function OwnPictureCard() {
  const { imageUrl, name } = usePerson();
  const refresh = [sessionQuery.queryKey];
  const upload = useAction({
    run: (file: File) => idp('put', '/idp/profile/image', { body: file }),
    refresh,
    done: 'Picture changed',
  });
  const remove = useAction({
    run: () => idp('delete', '/idp/profile/image'),
    refresh,
    done: 'Picture deleted',
  });
  return (
    <PictureCard url={imageUrl} name={name} upload={upload} remove={imageUrl === null ? undefined : remove} />
  );
}
