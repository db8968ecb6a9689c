import type { Status } from '#areas/reputation/data.ts';
import { Badge, type Tone } from '#ui/badge.tsx';

export const statusTexts: Record<Status, string> = {
  neutral: 'Neutral',
  relay_email: 'Relay e-mail',
  disposable_email: 'Disposable e-mail',
  spam: 'Spam',
  tracker: 'Tracker',
  piracy: 'Piracy',
  adult_content: 'Adult content',
  squat: 'Squatting',
  phishing: 'Phishing',
  malware: 'Malware',
};

const tones: Partial<Record<Status, Tone>> = {
  neutral: 'success',
  relay_email: 'accent',
  phishing: 'danger',
  malware: 'danger',
  squat: 'danger',
};

export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={tones[status] ?? 'warning'}>{statusTexts[status]}</Badge>;
}
