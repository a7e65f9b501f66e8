import Network from 'lucide-react/icons/network'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'shared-traces',
  title: 'Linked accounts',
  icon: Network,
  right: 'staffSharedTraces',
  menu: { section: 'People', position: 2 },
  load: () => import('./linked-accounts.view.tsx'),
}
