import { idp } from '#api/idp.ts';
import { toast } from '#ui/toast.ts';

/** Ends the session of this browser. The page is loaded anew: nothing that was shown stays in memory. */
export async function signOut(): Promise<void> {
  try {
    await idp('post', '/idp/sign-out');
    location.assign('/sign-in');
  } catch (error) {
    toast.failed(error);
  }
}
