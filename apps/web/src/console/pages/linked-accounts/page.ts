import Network from 'lucide-react/icons/network'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'linked-accounts',
  title: 'Linked accounts',
  icon: Network,
  right: 'staffLinkedAccounts',
  menu: { section: 'People', position: 2 },
  load: () => import('./linked-accounts.view.tsx'),
}
