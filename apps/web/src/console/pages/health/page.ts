import HeartPulse from 'lucide-react/icons/heart-pulse'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'health',
  title: 'Health',
  icon: HeartPulse,
  right: 'staffHealth',
  menu: { section: 'Platform', position: 4 },
  load: () => import('./health.view.tsx'),
}
