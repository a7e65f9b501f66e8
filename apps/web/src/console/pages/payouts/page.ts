import BanknoteArrowUp from 'lucide-react/icons/banknote-arrow-up'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'payouts',
  title: 'Payouts',
  icon: BanknoteArrowUp,
  key: 'p',
  right: 'staffQueue',
  menu: { section: 'Work', position: 1, onPhone: true },
  load: () => import('./payouts.view.tsx'),
}
