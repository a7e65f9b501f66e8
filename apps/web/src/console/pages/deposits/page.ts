import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'deposits',
  title: 'Deposits to match',
  icon: ArrowDownToLine,
  key: 'd',
  right: 'staffQueue',
  menu: { section: 'Work', position: 2 },
  load: () => import('./deposits.view.tsx'),
}
