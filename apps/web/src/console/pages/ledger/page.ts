import Landmark from 'lucide-react/icons/landmark'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'ledger',
  title: 'Ledger',
  icon: Landmark,
  key: 'l',
  right: 'staffLedgerAccounts',
  menu: { section: 'Audit', position: 1 },
  load: () => import('./ledger.view.tsx'),
}
