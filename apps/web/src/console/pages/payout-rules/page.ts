import ListChecks from 'lucide-react/icons/list-checks'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'payout-rules',
  title: 'Payout rules',
  icon: ListChecks,
  right: 'staffPayoutRules',
  menu: { section: 'Platform', position: 6 },
  load: () => import('./payout-rules.view.tsx'),
}
